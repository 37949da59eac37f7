/* SPDX-License-Identifier: Apache-2.0 */
/* The SoC's addresses and what the test programs share; sim/README.md has the map. */

#define RAM      0x80000000
#define CONSOLE  0x10000000
#define FINISHER 0x00100000
#define MSIP     0x02000000
#define MTIMECMP 0x02004000
#define MTIME    0x0200BFF8

#define DEVICES       0x40000000
#define ID            0x00
#define VERSION       0x04
#define CYCLE         0x08
#define PINS          0x10
#define MARKER        0x14
#define PINS_SET      0x18
#define PINS_CLEAR    0x1C
#define INJECT        0x20
#define INJECT_ACK    0x24
#define RAISE         0x28
#define LOWER         0x2C
#define INJECT_TIME   0x30
#define UART2         0x40000100
#define UART2_DATA    0x0
#define UART2_STATUS  0x4
#define UART2_DIVISOR 0x8
#define UART2_CONTROL 0xC

#define PASS 0x5555
#define FAIL 0x3333

/* Calls runtime.S: prints the register in hexadecimal, then a space or a newline. Changes ra, t0 to
 * t3 and a0. s11 is DEVICES throughout. */
.macro print register
	mv   a0, \register
	call print_hex
	li   a0, ' '
	call print_character
.endm

.macro println register
	mv   a0, \register
	call print_hex
	li   a0, '\n'
	call print_character
.endm

/* Opens and closes a stretch of the trace; the closing store is part of it. */
.macro marker value
	li   t0, \value
	sw   t0, MARKER(s11)
.endm

.macro marker_end
	sw   zero, MARKER(s11)
.endm
