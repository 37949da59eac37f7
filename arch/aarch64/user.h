/* SPDX-License-Identifier: Apache-2.0 */
/* What assembly asks of user.c. Interrupts masked. */
#ifndef FOLIOT_AARCH64_USER_H
#define FOLIOT_AARCH64_USER_H

struct k_thread;

/*
 * On the way to user mode of another thread than the last: its domain's tables, with its stack
 * open.
 */
void aarch64_user_load(const struct k_thread *thread);

#endif /* FOLIOT_AARCH64_USER_H */
