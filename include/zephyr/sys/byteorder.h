/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Numbers in the order of bytes that somebody else's memory has: le, the lowest byte first, and
 * be, the highest first. The conversions of constants are constants.
 */
#ifndef ZEPHYR_SYS_BYTEORDER_H
#define ZEPHYR_SYS_BYTEORDER_H

#include <zephyr/sys/util.h>

EXTERN_C_BEGIN_

/** 16 bits, the other way round. */
#define BSWAP_16(x) ((uint16_t)((((x) >> 8) & 0xff) | (((x) & 0xff) << 8)))
/** The lower 24 bits, the other way round. */
#define BSWAP_24(x) ((uint32_t)((((x) >> 16) & 0xff) | ((x) & 0xff00) | (((x) & 0xff) << 16)))
/** 32 bits, the other way round. */
#define BSWAP_32(x) ((uint32_t)__builtin_bswap32(x))
/** The lower 40 bits, the other way round. */
#define BSWAP_40(x) ((uint64_t)(__builtin_bswap64(x) >> 24))
/** The lower 48 bits, the other way round. */
#define BSWAP_48(x) ((uint64_t)(__builtin_bswap64(x) >> 16))
/** 64 bits, the other way round. */
#define BSWAP_64(x) ((uint64_t)__builtin_bswap64(x))

/* What is the same here, and what is swapped. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define BYTEORDER_LE_(bits, x) (x)
#define BYTEORDER_BE_(bits, x) BSWAP_##bits(x)
#else
#define BYTEORDER_LE_(bits, x) BSWAP_##bits(x)
#define BYTEORDER_BE_(bits, x) (x)
#endif

/** 16 bits with the lowest byte first, as a number. Context: either. */
#define sys_le16_to_cpu(val)     BYTEORDER_LE_(16, val)
/** A number as 16 bits with the lowest byte first. Context: either. */
#define sys_cpu_to_le16(val)     BYTEORDER_LE_(16, val)
/** 24 bits with the lowest byte first, as a number. Context: either. */
#define sys_le24_to_cpu(val)     BYTEORDER_LE_(24, val)
/** A number as 24 bits with the lowest byte first. Context: either. */
#define sys_cpu_to_le24(val)     BYTEORDER_LE_(24, val)
/** 32 bits with the lowest byte first, as a number. Context: either. */
#define sys_le32_to_cpu(val)     BYTEORDER_LE_(32, val)
/** A number as 32 bits with the lowest byte first. Context: either. */
#define sys_cpu_to_le32(val)     BYTEORDER_LE_(32, val)
/** 40 bits with the lowest byte first, as a number. Context: either. */
#define sys_le40_to_cpu(val)     BYTEORDER_LE_(40, val)
/** A number as 40 bits with the lowest byte first. Context: either. */
#define sys_cpu_to_le40(val)     BYTEORDER_LE_(40, val)
/** 48 bits with the lowest byte first, as a number. Context: either. */
#define sys_le48_to_cpu(val)     BYTEORDER_LE_(48, val)
/** A number as 48 bits with the lowest byte first. Context: either. */
#define sys_cpu_to_le48(val)     BYTEORDER_LE_(48, val)
/** 64 bits with the lowest byte first, as a number. Context: either. */
#define sys_le64_to_cpu(val)     BYTEORDER_LE_(64, val)
/** A number as 64 bits with the lowest byte first. Context: either. */
#define sys_cpu_to_le64(val)     BYTEORDER_LE_(64, val)
/** 16 bits with the highest byte first, as a number. Context: either. */
#define sys_be16_to_cpu(val)     BYTEORDER_BE_(16, val)
/** A number as 16 bits with the highest byte first. Context: either. */
#define sys_cpu_to_be16(val)     BYTEORDER_BE_(16, val)
/** 24 bits with the highest byte first, as a number. Context: either. */
#define sys_be24_to_cpu(val)     BYTEORDER_BE_(24, val)
/** A number as 24 bits with the highest byte first. Context: either. */
#define sys_cpu_to_be24(val)     BYTEORDER_BE_(24, val)
/** 32 bits with the highest byte first, as a number. Context: either. */
#define sys_be32_to_cpu(val)     BYTEORDER_BE_(32, val)
/** A number as 32 bits with the highest byte first. Context: either. */
#define sys_cpu_to_be32(val)     BYTEORDER_BE_(32, val)
/** 40 bits with the highest byte first, as a number. Context: either. */
#define sys_be40_to_cpu(val)     BYTEORDER_BE_(40, val)
/** A number as 40 bits with the highest byte first. Context: either. */
#define sys_cpu_to_be40(val)     BYTEORDER_BE_(40, val)
/** 48 bits with the highest byte first, as a number. Context: either. */
#define sys_be48_to_cpu(val)     BYTEORDER_BE_(48, val)
/** A number as 48 bits with the highest byte first. Context: either. */
#define sys_cpu_to_be48(val)     BYTEORDER_BE_(48, val)
/** 64 bits with the highest byte first, as a number. Context: either. */
#define sys_be64_to_cpu(val)     BYTEORDER_BE_(64, val)
/** A number as 64 bits with the highest byte first. Context: either. */
#define sys_cpu_to_be64(val)     BYTEORDER_BE_(64, val)
/**
 * The 2 bytes of val in the order of all our cores, the lowest first, in braces. Context: either.
 */
#define sys_uint16_to_array(val) {(uint8_t)(val), (uint8_t)((val) >> 8)}
/**
 * The 3 bytes of val in the order of all our cores, the lowest first, in braces. Context: either.
 */
#define sys_uint24_to_array(val) {(uint8_t)(val), (uint8_t)((val) >> 8), (uint8_t)((val) >> 16)}
/**
 * The 4 bytes of val in the order of all our cores, the lowest first, in braces. Context: either.
 */
#define sys_uint32_to_array(val) \
	{(uint8_t)(val), (uint8_t)((val) >> 8), (uint8_t)((val) >> 16), (uint8_t)((val) >> 24)}
/**
 * The 8 bytes of val in the order of all our cores, the lowest first, in braces. Context: either.
 */
#define sys_uint64_to_array(val)                                                 \
	{(uint8_t)(val),         (uint8_t)((val) >> 8),  (uint8_t)((val) >> 16), \
	 (uint8_t)((val) >> 24), (uint8_t)((val) >> 32), (uint8_t)((val) >> 40), \
	 (uint8_t)((val) >> 48), (uint8_t)((val) >> 56)}

/** Write 16 bits of val at dst, which may be unaligned, the lowest byte first. Context: either. */
static inline void sys_put_le16(uint16_t val, uint8_t dst[2])
{
	/* Bound: 2 bytes. */
	for (unsigned int i = 0; i < 2U; i++) {
		dst[i] = (uint8_t)(val >> (8U * i));
	}
}

/** Returns 16 bits from src, which may be unaligned, the lowest byte first. Context: either. */
static inline uint16_t sys_get_le16(const uint8_t src[2])
{
	uint16_t val = 0;

	/* Bound: 2 bytes. */
	for (unsigned int i = 0; i < 2U; i++) {
		val = (uint16_t)(val << 8U) | src[1U - i];
	}
	return val;
}

/** Write 24 bits of val at dst, which may be unaligned, the lowest byte first. Context: either. */
static inline void sys_put_le24(uint32_t val, uint8_t dst[3])
{
	/* Bound: 3 bytes. */
	for (unsigned int i = 0; i < 3U; i++) {
		dst[i] = (uint8_t)(val >> (8U * i));
	}
}

/** Returns 24 bits from src, which may be unaligned, the lowest byte first. Context: either. */
static inline uint32_t sys_get_le24(const uint8_t src[3])
{
	uint32_t val = 0;

	/* Bound: 3 bytes. */
	for (unsigned int i = 0; i < 3U; i++) {
		val = (uint32_t)(val << 8U) | src[2U - i];
	}
	return val;
}

/** Write 32 bits of val at dst, which may be unaligned, the lowest byte first. Context: either. */
static inline void sys_put_le32(uint32_t val, uint8_t dst[4])
{
	/* Bound: 4 bytes. */
	for (unsigned int i = 0; i < 4U; i++) {
		dst[i] = (uint8_t)(val >> (8U * i));
	}
}

/** Returns 32 bits from src, which may be unaligned, the lowest byte first. Context: either. */
static inline uint32_t sys_get_le32(const uint8_t src[4])
{
	uint32_t val = 0;

	/* Bound: 4 bytes. */
	for (unsigned int i = 0; i < 4U; i++) {
		val = (uint32_t)(val << 8U) | src[3U - i];
	}
	return val;
}

/** Write 40 bits of val at dst, which may be unaligned, the lowest byte first. Context: either. */
static inline void sys_put_le40(uint64_t val, uint8_t dst[5])
{
	/* Bound: 5 bytes. */
	for (unsigned int i = 0; i < 5U; i++) {
		dst[i] = (uint8_t)(val >> (8U * i));
	}
}

/** Returns 40 bits from src, which may be unaligned, the lowest byte first. Context: either. */
static inline uint64_t sys_get_le40(const uint8_t src[5])
{
	uint64_t val = 0;

	/* Bound: 5 bytes. */
	for (unsigned int i = 0; i < 5U; i++) {
		val = (uint64_t)(val << 8U) | src[4U - i];
	}
	return val;
}

/** Write 48 bits of val at dst, which may be unaligned, the lowest byte first. Context: either. */
static inline void sys_put_le48(uint64_t val, uint8_t dst[6])
{
	/* Bound: 6 bytes. */
	for (unsigned int i = 0; i < 6U; i++) {
		dst[i] = (uint8_t)(val >> (8U * i));
	}
}

/** Returns 48 bits from src, which may be unaligned, the lowest byte first. Context: either. */
static inline uint64_t sys_get_le48(const uint8_t src[6])
{
	uint64_t val = 0;

	/* Bound: 6 bytes. */
	for (unsigned int i = 0; i < 6U; i++) {
		val = (uint64_t)(val << 8U) | src[5U - i];
	}
	return val;
}

/** Write 64 bits of val at dst, which may be unaligned, the lowest byte first. Context: either. */
static inline void sys_put_le64(uint64_t val, uint8_t dst[8])
{
	/* Bound: 8 bytes. */
	for (unsigned int i = 0; i < 8U; i++) {
		dst[i] = (uint8_t)(val >> (8U * i));
	}
}

/** Returns 64 bits from src, which may be unaligned, the lowest byte first. Context: either. */
static inline uint64_t sys_get_le64(const uint8_t src[8])
{
	uint64_t val = 0;

	/* Bound: 8 bytes. */
	for (unsigned int i = 0; i < 8U; i++) {
		val = (uint64_t)(val << 8U) | src[7U - i];
	}
	return val;
}

/** Write 16 bits of val at dst, which may be unaligned, the highest byte first. Context: either. */
static inline void sys_put_be16(uint16_t val, uint8_t dst[2])
{
	/* Bound: 2 bytes. */
	for (unsigned int i = 0; i < 2U; i++) {
		dst[1U - i] = (uint8_t)(val >> (8U * i));
	}
}

/** Returns 16 bits from src, which may be unaligned, the highest byte first. Context: either. */
static inline uint16_t sys_get_be16(const uint8_t src[2])
{
	uint16_t val = 0;

	/* Bound: 2 bytes. */
	for (unsigned int i = 0; i < 2U; i++) {
		val = (uint16_t)(val << 8U) | src[i];
	}
	return val;
}

/** Write 24 bits of val at dst, which may be unaligned, the highest byte first. Context: either. */
static inline void sys_put_be24(uint32_t val, uint8_t dst[3])
{
	/* Bound: 3 bytes. */
	for (unsigned int i = 0; i < 3U; i++) {
		dst[2U - i] = (uint8_t)(val >> (8U * i));
	}
}

/** Returns 24 bits from src, which may be unaligned, the highest byte first. Context: either. */
static inline uint32_t sys_get_be24(const uint8_t src[3])
{
	uint32_t val = 0;

	/* Bound: 3 bytes. */
	for (unsigned int i = 0; i < 3U; i++) {
		val = (uint32_t)(val << 8U) | src[i];
	}
	return val;
}

/** Write 32 bits of val at dst, which may be unaligned, the highest byte first. Context: either. */
static inline void sys_put_be32(uint32_t val, uint8_t dst[4])
{
	/* Bound: 4 bytes. */
	for (unsigned int i = 0; i < 4U; i++) {
		dst[3U - i] = (uint8_t)(val >> (8U * i));
	}
}

/** Returns 32 bits from src, which may be unaligned, the highest byte first. Context: either. */
static inline uint32_t sys_get_be32(const uint8_t src[4])
{
	uint32_t val = 0;

	/* Bound: 4 bytes. */
	for (unsigned int i = 0; i < 4U; i++) {
		val = (uint32_t)(val << 8U) | src[i];
	}
	return val;
}

/** Write 40 bits of val at dst, which may be unaligned, the highest byte first. Context: either. */
static inline void sys_put_be40(uint64_t val, uint8_t dst[5])
{
	/* Bound: 5 bytes. */
	for (unsigned int i = 0; i < 5U; i++) {
		dst[4U - i] = (uint8_t)(val >> (8U * i));
	}
}

/** Returns 40 bits from src, which may be unaligned, the highest byte first. Context: either. */
static inline uint64_t sys_get_be40(const uint8_t src[5])
{
	uint64_t val = 0;

	/* Bound: 5 bytes. */
	for (unsigned int i = 0; i < 5U; i++) {
		val = (uint64_t)(val << 8U) | src[i];
	}
	return val;
}

/** Write 48 bits of val at dst, which may be unaligned, the highest byte first. Context: either. */
static inline void sys_put_be48(uint64_t val, uint8_t dst[6])
{
	/* Bound: 6 bytes. */
	for (unsigned int i = 0; i < 6U; i++) {
		dst[5U - i] = (uint8_t)(val >> (8U * i));
	}
}

/** Returns 48 bits from src, which may be unaligned, the highest byte first. Context: either. */
static inline uint64_t sys_get_be48(const uint8_t src[6])
{
	uint64_t val = 0;

	/* Bound: 6 bytes. */
	for (unsigned int i = 0; i < 6U; i++) {
		val = (uint64_t)(val << 8U) | src[i];
	}
	return val;
}

/** Write 64 bits of val at dst, which may be unaligned, the highest byte first. Context: either. */
static inline void sys_put_be64(uint64_t val, uint8_t dst[8])
{
	/* Bound: 8 bytes. */
	for (unsigned int i = 0; i < 8U; i++) {
		dst[7U - i] = (uint8_t)(val >> (8U * i));
	}
}

/** Returns 64 bits from src, which may be unaligned, the highest byte first. Context: either. */
static inline uint64_t sys_get_be64(const uint8_t src[8])
{
	uint64_t val = 0;

	/* Bound: 8 bytes. */
	for (unsigned int i = 0; i < 8U; i++) {
		val = (uint64_t)(val << 8U) | src[i];
	}
	return val;
}

/** Copy length bytes the other way round; the two do not overlap. Context: either. */
static inline void sys_memcpy_swap(void *dst, const void *src, size_t length)
{
	/* Bound: length. */
	for (size_t i = 0; i < length; i++) {
		((uint8_t *)dst)[i] = ((const uint8_t *)src)[length - 1U - i];
	}
}

/** Turn length bytes round where they are. Context: either. */
static inline void sys_mem_swap(void *buf, size_t length)
{
	/* Bound: length / 2. */
	for (size_t i = 0; i < length / 2U; i++) {
		byteswp(&((uint8_t *)buf)[i], &((uint8_t *)buf)[length - 1U - i], 1U);
	}
}

/** Copy a number of length bytes into le order, the lowest byte first. Context: either. */
static inline void sys_put_le(void *dst, const void *src, size_t length)
{
	if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) {
		bytecpy(dst, src, length);
	} else {
		sys_memcpy_swap(dst, src, length);
	}
}

/** Copy a number of length bytes out of le order. Context: either. */
static inline void sys_get_le(void *dst, const void *src, size_t length)
{
	sys_put_le(dst, src, length);
}

/**
 * Turn a number of length bytes from the core's order into le order where it is. Context: either.
 */
static inline void sys_cpu_to_le(void *buf, size_t length)
{
	if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__) {
		sys_mem_swap(buf, length);
	}
}

/** The same back. Context: either. */
static inline void sys_le_to_cpu(void *buf, size_t length)
{
	sys_cpu_to_le(buf, length);
}

/** Copy a number of length bytes into be order, the highest byte first. Context: either. */
static inline void sys_put_be(void *dst, const void *src, size_t length)
{
	if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__) {
		bytecpy(dst, src, length);
	} else {
		sys_memcpy_swap(dst, src, length);
	}
}

/** Copy a number of length bytes out of be order. Context: either. */
static inline void sys_get_be(void *dst, const void *src, size_t length)
{
	sys_put_be(dst, src, length);
}

/**
 * Turn a number of length bytes from the core's order into be order where it is. Context: either.
 */
static inline void sys_cpu_to_be(void *buf, size_t length)
{
	if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) {
		sys_mem_swap(buf, length);
	}
}

/** The same back. Context: either. */
static inline void sys_be_to_cpu(void *buf, size_t length)
{
	sys_cpu_to_be(buf, length);
}

EXTERN_C_END_

#endif /* ZEPHYR_SYS_BYTEORDER_H */
