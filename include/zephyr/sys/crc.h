/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Checks over bytes by polynomials, as protocols have them. They go bit by bit and need no tables.
 * A function that takes what came so far goes on with it: so a long message may come in pieces.
 */
#ifndef ZEPHYR_SYS_CRC_H
#define ZEPHYR_SYS_CRC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <zephyr/sys/util.h>

EXTERN_C_BEGIN_

/**
 * Any of 8 bits; `reversed`: the lowest bit of a byte first, and of `polynomial` too.
 * Returns the check. Context: either.
 */
uint8_t crc8(const uint8_t *src, size_t len, uint8_t polynomial, uint8_t initial_value,
	     bool reversed);
/** Of 8 bits, polynomial 7, as SMBus and ATM have it. Returns the check. Context: either. */
uint8_t crc8_ccitt(uint8_t initial_value, const void *buf, size_t len);
/**
 * Of 7 bits in the upper ones of a byte, polynomial 9, as SD cards have it.
 * Returns the check. Context: either.
 */
uint8_t crc7_be(uint8_t seed, const uint8_t *src, size_t len);
/** Any of 16 bits, the highest bit of a byte first. Returns the check. Context: either. */
uint16_t crc16(uint16_t poly, uint16_t seed, const uint8_t *src, size_t len);
/**
 * Any of 16 bits, the lowest bit of a byte first; so is `poly`.
 * Returns the check. Context: either.
 */
uint16_t crc16_reflect(uint16_t poly, uint16_t seed, const uint8_t *src, size_t len);
/**
 * Polynomial 0x1021, the lowest bit first (HDLC, X.25, Bluetooth's).
 * Returns the check. Context: either.
 */
uint16_t crc16_ccitt(uint16_t seed, const uint8_t *src, size_t len);
/** Polynomial 0x1021, the highest bit first (XMODEM). Returns the check. Context: either. */
uint16_t crc16_itu_t(uint16_t seed, const uint8_t *src, size_t len);
/**
 * Polynomial 0x8005, the lowest bit first, begun with ones (Modbus).
 * Returns the check. Context: either.
 */
uint16_t crc16_ansi(const uint8_t *src, size_t len);
/** Of 32 bits, as Ethernet and zip have it. Returns the check. Context: either. */
uint32_t crc32_ieee(const uint8_t *data, size_t len);
/** The same, going on with `crc`, which begins as 0. Returns the check. Context: either. */
uint32_t crc32_ieee_update(uint32_t crc, const uint8_t *data, size_t len);
/**
 * Castagnoli's, as iSCSI has it, going on with `crc` but for a message's first bytes (`first_pkt`).
 * Returns the check of its last ones (`last_pkt`), else what to go on with. Context: either.
 */
uint32_t crc32_c(uint32_t crc, const uint8_t *data, size_t len, bool first_pkt, bool last_pkt);

EXTERN_C_END_

#endif /* ZEPHYR_SYS_CRC_H */
