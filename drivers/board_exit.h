/* SPDX-License-Identifier: Apache-2.0 */
/* How a run ends on this board: the simulator's or emulator's exit, or a halt. */
#ifndef FOLIOT_DRIVERS_BOARD_EXIT_H
#define FOLIOT_DRIVERS_BOARD_EXIT_H

/* End with `status`, 0 for success. Either context. */
void board_exit(int status) __attribute__((noreturn));

#endif /* FOLIOT_DRIVERS_BOARD_EXIT_H */
