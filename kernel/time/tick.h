/* SPDX-License-Identifier: Apache-2.0 */
/* The clock and the timeouts, brought together. */
#ifndef FOLIOT_KERNEL_TICK_H
#define FOLIOT_KERNEL_TICK_H

/* At start. */
void tick_init(void);

#endif /* FOLIOT_KERNEL_TICK_H */
