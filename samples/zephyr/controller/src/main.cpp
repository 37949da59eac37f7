/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A controller that runs every 5 ms, whatever else the core does, and two threads in the background
 * that share what is left by turns of 10 ms. In C++: the controller and its plant are objects, made
 * before main().
 */
#include <stdlib.h>
#include <zephyr/kernel.h>
#include <zephyr/sys/printk.h>

#define PERIOD_MS  5
#define STEPS      30
#define SLICE_MS   10
#define STACK_SIZE 1024
#define SET_POINT  1000

namespace
{

/* A tank that loses an eighth of its height each step, in thousandths. */
class Tank
{
      public:
	explicit Tank(int start) : level(start)
	{
	}
	void step(int inflow)
	{
		level += inflow - level / 8;
	}
	int height() const
	{
		return level;
	}

      private:
	int level;
};

class Regulator
{
      public:
	virtual ~Regulator() = default;
	virtual int output(int error) = 0;
};

class PiRegulator : public Regulator
{
      public:
	PiRegulator(int proportional, int integral) : p(proportional), i(integral)
	{
	}
	int output(int error) override
	{
		sum += error;
		return CLAMP((p * error + i * sum) / 64, 0, 300);
	}

      private:
	int p;
	int i;
	int sum = 0;
};

Tank tank(100);
PiRegulator pi(16, 4);
Regulator &regulator = pi;

K_TIMER_DEFINE(period, nullptr, nullptr);
K_SEM_DEFINE(finished, 0, 1);
volatile uint32_t turns[2];
uint32_t overruns;

void control(void *p1, void *p2, void *p3)
{
	k_timer_start(&period, K_MSEC(PERIOD_MS), K_MSEC(PERIOD_MS));
	for (int step = 0; step < STEPS; step++) {
		if (k_timer_status_sync(&period) != 1) {
			overruns++;
		}
		tank.step(regulator.output(SET_POINT - tank.height()));
	}
	k_timer_stop(&period);
	k_sem_give(&finished);
}

/* Never waits: it gets what the controller leaves, and by turns. */
void work(void *number, void *p2, void *p3)
{
	while (true) {
		turns[POINTER_TO_INT(number)] = turns[POINTER_TO_INT(number)] + 1;
		k_busy_wait(100);
	}
}

K_THREAD_DEFINE(controller, STACK_SIZE, control, NULL, NULL, NULL, K_PRIO_PREEMPT(2), 0, 0);
K_THREAD_DEFINE(worker_0, STACK_SIZE, work, INT_TO_POINTER(0), NULL, NULL, K_PRIO_PREEMPT(9), 0, 0);
K_THREAD_DEFINE(worker_1, STACK_SIZE, work, INT_TO_POINTER(1), NULL, NULL, K_PRIO_PREEMPT(9), 0, 0);

} // namespace

int main()
{
	int height;
	bool shared;

	k_sched_time_slice_set(SLICE_MS, K_PRIO_PREEMPT(9));
	(void)k_sem_take(&finished, K_FOREVER);
	k_thread_abort(worker_0);
	k_thread_abort(worker_1);
	height = tank.height();
	shared = turns[0] > turns[1] / 2 && turns[1] > turns[0] / 2;
	printk("height %s, %u overruns, turns %s\n", IN_RANGE(height, 950, 1050) ? "held" : "lost",
	       overruns, shared ? "shared" : "not shared");
	exit(IN_RANGE(height, 950, 1050) && overruns == 0 && shared ? 0 : 1);
}
