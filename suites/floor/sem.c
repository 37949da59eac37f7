/* SPDX-License-Identifier: Apache-2.0 */
/* A semaphore with room for one waiter. */
#include "pair.h"

static struct floor_sem sem;

MEASURE_WINDOW(give, floor_sem_give(&sem))
MEASURE_WINDOW(take, result = floor_sem_take(&sem))

static void give_after(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "given", sem.count == 1);
}

static void take_after(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "taken", result == 0 && sem.count == 0);
}

void floor_measure_sem(void)
{
	measure_turns(&(struct measure_operation){"semaphore.give.immediate.kernel",
						  "Give a semaphore (no waiters)", give, NULL,
						  give_after},
		      &(struct measure_operation){"semaphore.take.immediate.kernel",
						  "Take a semaphore (no blocking)", take, NULL,
						  take_after});

	/* As if the partner waited already. */
	sem.count = -1;
	sem.waiter = floor_prepare(floor_partner_stack + FLOOR_STACK_SIZE, floor_partner_entry);
	floor_pair(&(struct floor_side){"semaphore.take.blocking.k_to_k",
					"Take a semaphore (context switch)", take},
		   &(struct floor_side){"semaphore.give.wake+ctx.k_to_k",
					"Give a semaphore (context switch)", give});
}
