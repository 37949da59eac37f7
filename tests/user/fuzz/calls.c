/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The system calls: their numbers are the kernel's own list, so a new one is attacked by being there;
 * here stands what their arguments are, so that many calls are nearly right.
 */
#include <string.h>

#include "fuzz.h"

static const char *const names[] = {
#define SYSCALL(name) #name,
#define SYSCALL_VIA(name)
#include "kernel/base/syscalls.h"
#undef SYSCALL
#undef SYSCALL_VIA
};

const unsigned int num_calls = ARRAY_SIZE(names);

static const struct {
	const char *prefix; /* the longest that fits */
	const char *signature;
} signatures[] = {
	{"k_sem_", "S"},
	{"k_sem_init", "Snn"},
	{"k_sem_take", "St"},
	{"k_mutex_", "M"},
	{"k_mutex_lock", "Mt"},
	{"k_condvar_", "C"},
	{"k_condvar_wait", "CMt"},
	{"k_event_", "En"},
	{"k_event_set_masked", "Enn"},
	{"k_event_wait", "Ennt"},
	{"k_stack_alloc_init", "Kn"},
	{"k_stack_push", "Kn"},
	{"k_stack_pop", "Kwt"},
	{"k_queue_", "Q"},
	{"k_queue_alloc_", "Qn"},
	{"k_queue_get", "Qt"},
	{"k_msgq_", "G"},
	{"k_msgq_alloc_init", "Gnn"},
	{"k_msgq_put", "Grt"},
	{"k_msgq_get", "Gwt"},
	{"k_msgq_peek", "Gwn"},
	{"k_msgq_get_attrs", "Gw"},
	{"k_pipe_", "I"},
	{"k_pipe_init", "Iwn"},
	{"k_pipe_write", "Irnt"},
	{"k_pipe_read", "Iwnt"},
	{"k_futex_wait", "rnt"},
	{"k_futex_wake", "wn"},
	{"k_poll", "Vvt"},
	{"k_poll_signal_", "Ln"},
	{"k_poll_signal_check", "Lww"},
	{"k_timer_", "T"},
	{"k_timer_start", "Ttt"},
	{"k_timer_user_data_set", "Tn"},
	{"k_thread_", "H"},
	{"k_thread_join", "Ht"},
	{"k_thread_priority_set", "HP"},
	{"k_thread_deadline_set", "Hn"},
	{"k_thread_absolute_deadline_set", "Hn"},
	{"k_thread_name_set", "Hr"},
	{"k_thread_name_copy", "Hwn"},
	{"k_thread_custom_data_", "n"},
	{"k_thread_stack_space_get", "Hw"},
	{"k_thread_stack_alloc", "nn"},
	{"k_thread_stack_free", "Z"},
	{"k_sleep", "t"},
	{"k_msleep", "n"},
	{"k_usleep", "n"},
	{"k_wakeup", "H"},
	{"k_busy_wait", "n"},
	{"k_fatal_raise", "n"},
	{"k_object_grant_", "OonH"},
	{"k_object_revoke_", "OoH"},
	{"k_object_release_", "Oo"},
	{"k_object_alloc", "on"},
	{"k_ipc_send", "Bmt"},
	{"k_ipc_receive", "Dmt"},
	{"k_ipc_reply", "m"},
	{"k_ipc_call", "Bmt"},
	{"k_ipc_reply_receive", "Dmt"},
	{"console_putc", "n"},
	{"user_uptime_read", "w"},
	{"user_thread_create_packed", "A"},
};

const char *call_name(unsigned int number)
{
	return number < num_calls ? names[number] : "no such call";
}

unsigned int call_number(const char *name)
{
	unsigned int number = 0;

	while (number < num_calls && strcmp(names[number], name) != 0) {
		number++;
	}
	return number;
}

const char *call_signature(unsigned int number)
{
	const char *name = call_name(number);
	const char *found = "";
	size_t longest = 0;

	for (unsigned int i = 0; i < ARRAY_SIZE(signatures); i++) {
		size_t length = strlen(signatures[i].prefix);

		if (length > longest && strncmp(name, signatures[i].prefix, length) == 0) {
			longest = length;
			found = signatures[i].signature;
		}
	}
	return found;
}
