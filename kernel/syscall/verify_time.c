/* SPDX-License-Identifier: Apache-2.0 */
/* System calls: timers, sleeping, clocks, and the console. */
#define VERIFIER_OF_OTHERS
#include "kernel/syscall/verify.h"
#include "lib/console_line.h"

CALLS_DIRECTLY(k_uptime_ticks);

#define VERIFY_TIMER(timer) VERIFY_OBJECT(timer, struct k_timer, K_OBJ_TIMER)

/*@ requires caller_is_sound; */
void verify_k_timer_start(struct k_timer *timer, k_timeout_t duration, k_timeout_t period)
{
	VERIFY_TIMER(timer);
	k_timer_start(timer, verify_timeout(duration), verify_timeout(period));
}

/*@ requires caller_is_sound; */
void verify_k_timer_stop(struct k_timer *timer)
{
	VERIFY_TIMER(timer);
	k_timer_stop(timer);
}

/*@ requires caller_is_sound; */
uint32_t verify_k_timer_status_get(struct k_timer *timer)
{
	VERIFY_TIMER(timer);
	return k_timer_status_get(timer);
}

/*@ requires caller_is_sound; */
uint32_t verify_k_timer_status_sync(struct k_timer *timer)
{
	VERIFY_TIMER(timer);
	return k_timer_status_sync(timer);
}

/*@ requires caller_is_sound; */
k_ticks_t verify_k_timer_remaining_ticks(const struct k_timer *timer)
{
	VERIFY_TIMER(timer);
	return k_timer_remaining_ticks(timer);
}

/*@ requires caller_is_sound; */
uint32_t verify_k_timer_remaining_get(const struct k_timer *timer)
{
	VERIFY_TIMER(timer);
	return k_timer_remaining_get(timer);
}

/*@ requires caller_is_sound; */
k_ticks_t verify_k_timer_expires_ticks(const struct k_timer *timer)
{
	VERIFY_TIMER(timer);
	return k_timer_expires_ticks(timer);
}

/*@ requires caller_is_sound; */
void verify_k_timer_user_data_set(struct k_timer *timer, void *data)
{
	VERIFY_TIMER(timer);
	k_timer_user_data_set(timer, data);
}

/*@ requires caller_is_sound; */
void *verify_k_timer_user_data_get(const struct k_timer *timer)
{
	VERIFY_TIMER(timer);
	return k_timer_user_data_get(timer);
}

void verify_k_yield(void)
{
	k_yield();
}

/*@ requires caller_is_sound; */
int32_t verify_k_sleep(k_timeout_t timeout)
{
	return k_sleep(verify_timeout(timeout));
}

int32_t verify_k_msleep(int32_t ms)
{
	return k_msleep(ms);
}

int32_t verify_k_usleep(int32_t us)
{
	return k_usleep(us);
}

uint32_t verify_k_uptime_get_32(void)
{
	return k_uptime_get_32();
}

uint32_t verify_k_cycle_get_32(void)
{
	return k_cycle_get_32();
}

void verify_k_busy_wait(uint32_t usec)
{
	K_SYSCALL_NARROW(usec);
	k_busy_wait(usec);
}

/*@ requires caller_is_sound;
  @ ensures user_may_touch(k_cpu.current, (uintptr_t)ticks, sizeof(*ticks), (boolean)1);
  @*/
void verify_user_uptime_read(int64_t *ticks)
{
	int64_t now = k_uptime_ticks();

	user_copy_out(ticks, &now, sizeof(now));
}

void verify_console_putc(char c)
{
	console_take();
	uart_putc(c); /* user mode's function is in its pages */
}
