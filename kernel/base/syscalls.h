/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The system calls, in the order of their numbers; read by C, by assembly and by CMake, so
 * nothing but lines of this form, and #ifdef, which CMake does not see. Each has a verifier
 * verify_NAME() with NAME's own prototype, of at most four words of arguments and one of result.
 * Who calls NAME arrives at a stub (CMake wraps the symbol): in user mode it traps, in kernel mode
 * it goes on to the function itself.
 *
 * SYSCALL_FAST: those that are short most of the time come first, and have a fast path besides,
 * fast_NAME() (fast.c), which a port may call instead.
 *
 * SYSCALL_MASKED: those that have one for ports with CONFIG_ARCH_USER_CALLS_MASKED only
 * (fast_masked.c, fast_wide.c): none is short, but all of it can be done with interrupts masked
 * since the trap.
 *
 * SYSCALL_VIA: calls that have more words go through a function of user mode's first, user_NAME()
 * (user_side.c).
 */
#ifndef SYSCALL_FAST
#define SYSCALL_FAST(name) SYSCALL(name)
#endif
#ifndef SYSCALL_MASKED
#define SYSCALL_MASKED(name) SYSCALL(name)
#endif
SYSCALL_FAST(k_sem_take)
SYSCALL_FAST(k_sem_give)
SYSCALL_FAST(k_mutex_lock)
SYSCALL_FAST(k_mutex_unlock)
SYSCALL_FAST(k_event_post)
SYSCALL_FAST(k_event_set)
SYSCALL_FAST(k_event_wait)
SYSCALL_FAST(k_event_wait_all)
SYSCALL_FAST(k_stack_push)
SYSCALL_FAST(k_stack_pop)
SYSCALL_MASKED(k_condvar_wait)
SYSCALL_MASKED(k_condvar_signal)
SYSCALL_MASKED(k_queue_alloc_append)
SYSCALL_MASKED(k_queue_alloc_prepend)
SYSCALL_MASKED(k_queue_get)
SYSCALL_MASKED(k_thread_start)
SYSCALL_MASKED(k_thread_suspend)
SYSCALL_MASKED(k_thread_resume)
SYSCALL_MASKED(k_yield)
#undef SYSCALL_FAST
#undef SYSCALL_MASKED
SYSCALL(k_sem_init)
SYSCALL(k_sem_reset)
SYSCALL(k_sem_count_get)
SYSCALL(k_mutex_init)
SYSCALL(k_condvar_init)
SYSCALL(k_condvar_broadcast)
SYSCALL(k_event_init)
SYSCALL(k_event_set_masked)
SYSCALL(k_event_clear)
SYSCALL(k_event_wait_safe)
SYSCALL(k_event_wait_all_safe)
SYSCALL(k_event_test)
SYSCALL(k_stack_alloc_init)
SYSCALL(k_queue_init)
SYSCALL(k_queue_is_empty)
SYSCALL(k_queue_peek_head)
SYSCALL(k_queue_peek_tail)
SYSCALL(k_queue_cancel_wait)
SYSCALL(k_msgq_alloc_init)
SYSCALL(k_msgq_put)
SYSCALL(k_msgq_put_front)
SYSCALL(k_msgq_get)
SYSCALL(k_msgq_peek)
SYSCALL(k_msgq_peek_at)
SYSCALL(k_msgq_purge)
SYSCALL(k_msgq_num_free_get)
SYSCALL(k_msgq_num_used_get)
SYSCALL(k_msgq_get_attrs)
SYSCALL(k_timer_start)
SYSCALL(k_timer_stop)
SYSCALL(k_timer_status_get)
SYSCALL(k_timer_status_sync)
SYSCALL(k_timer_remaining_ticks)
SYSCALL(k_timer_remaining_get)
SYSCALL(k_timer_expires_ticks)
SYSCALL(k_timer_user_data_set)
SYSCALL(k_timer_user_data_get)
SYSCALL(k_thread_abort)
SYSCALL(k_thread_join)
SYSCALL(k_thread_priority_get)
SYSCALL(k_thread_priority_set)
SYSCALL(k_reschedule)
#ifdef CONFIG_SCHED_DEADLINE
SYSCALL(k_thread_deadline_set)
SYSCALL(k_thread_absolute_deadline_set)
#endif
SYSCALL(k_thread_name_set)
SYSCALL(k_thread_name_copy)
#ifdef CONFIG_THREAD_CUSTOM_DATA
SYSCALL(k_thread_custom_data_set)
SYSCALL(k_thread_custom_data_get)
#endif
SYSCALL(k_thread_stack_space_get)
SYSCALL(k_thread_timeout_remaining_ticks)
SYSCALL(k_thread_timeout_expires_ticks)
SYSCALL(k_sleep)
SYSCALL(k_msleep)
SYSCALL(k_usleep)
SYSCALL(k_wakeup)
SYSCALL(k_current_get)
SYSCALL(k_is_preempt_thread)
SYSCALL(k_uptime_get_32)
SYSCALL(k_cycle_get_32)
SYSCALL(k_busy_wait)
SYSCALL(k_fatal_raise)
SYSCALL(k_object_grant_)
SYSCALL(k_object_revoke_)
SYSCALL(k_object_release_)
SYSCALL(k_object_alloc)
SYSCALL(k_object_alloc_size)
SYSCALL(k_thread_stack_alloc)
SYSCALL(k_thread_stack_free)
#ifdef CONFIG_IPC
SYSCALL(k_ipc_send)
SYSCALL(k_ipc_receive)
SYSCALL(k_ipc_reply)
#ifdef CONFIG_ARCH_IPC_REGISTERS
SYSCALL(user_ipc_call)
SYSCALL(user_ipc_reply_receive)
SYSCALL_VIA(k_ipc_call)
SYSCALL_VIA(k_ipc_reply_receive)
#else
SYSCALL(k_ipc_call)
SYSCALL(k_ipc_reply_receive)
#endif
#endif
SYSCALL(k_pipe_init)
SYSCALL(k_pipe_write)
SYSCALL(k_pipe_read)
SYSCALL(k_pipe_reset)
SYSCALL(k_pipe_close)
SYSCALL(k_futex_wait)
SYSCALL(k_futex_wake)
#ifdef CONFIG_POLL
SYSCALL(k_poll)
SYSCALL(k_poll_signal_init)
SYSCALL(k_poll_signal_reset)
SYSCALL(k_poll_signal_check)
SYSCALL(k_poll_signal_raise)
#endif
SYSCALL(console_putc)
SYSCALL(user_uptime_read)
SYSCALL(user_thread_create_packed)
/*
 * Else user mode needs nobody for it. clang-tidy wants a label before the first use, which
 * is in the header's inline functions.
 */
#if __GCC_ATOMIC_LONG_LOCK_FREE != 2 && !defined(__clang_analyzer__)
SYSCALL(k_atomic_update_)
#endif
SYSCALL_VIA(k_uptime_ticks)
SYSCALL_VIA(k_uptime_get)
SYSCALL_VIA(k_uptime_delta)
SYSCALL_VIA(k_thread_create)

/*
 * foliot_system_calls() of the application: SYSCALL_OF_APP(NAME), whose prototypes nobody here
 * knows.
 */
#ifndef SYSCALL_OF_APP
#define SYSCALL_OF_APP(name) SYSCALL(name)
#endif
#include <app_syscalls.h>
#undef SYSCALL_OF_APP
