/* SPDX-License-Identifier: Apache-2.0 */
/* The fake machine: see arch/host/. */
#ifndef FOLIOT_BOARD_H
#define FOLIOT_BOARD_H

/* The clock is virtual; 100 MHz as on the simulated cores, so that ticks come out alike. */
#define BOARD_CLOCK_HZ  100000000U
#define BOARD_TIMER_HZ  BOARD_CLOCK_HZ
#define BOARD_TIMER_IRQ 0
#define BOARD_SOFT_IRQ  1

/* arch_cycles(): one count a unit. */
#define BOARD_CYCLES_NAME "virtual"
#define BOARD_CYCLES_BITS 32
#define BOARD_CYCLES_NUM  1
#define BOARD_CYCLES_DEN  1

/* Variables and stacks: what lies between the process's first one and its last. */
extern char _ram_start[], _end[]; /* arch/host/user_sections.ld */
#define BOARD_RAM_BASE ((uintptr_t)_ram_start)
#define BOARD_RAM_SIZE ((uintptr_t)_end - (uintptr_t)_ram_start)

#endif /* FOLIOT_BOARD_H */
