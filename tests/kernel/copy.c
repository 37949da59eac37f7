/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arch_copy_guarded(): right as memcpy() is, and a fault of the foreign side ends it and
 * nothing else, in a thread and in a handler, masked and open. A fault of the other side
 * is in faults/.
 */
#include "arch/arch.h"
#include "nowhere.h"
#include "test.h"

#define SIZE_MAX_ 70
#define BORDER    8
#define ROOM      (BORDER + SIZE_MAX_ + BORDER)

static unsigned char source[ROOM];
static unsigned char target[ROOM];

/* With 64 bits, an address that is none, between the halves of memory: another fault on x86. */
#if UINTPTR_MAX > UINT32_MAX
#define NO_ADDRESS 0x8000000000000000UL
#else
#define NO_ADDRESS NOWHERE
#endif

static uintptr_t where = NOWHERE;

/* Addresses that the compiler does not know, at all alignments. */
static void *nowhere(unsigned int offset)
{
	uintptr_t address = where + offset;

	__asm__("" : "+r"(address));
	return (void *)address;
}

static bool is_copied(size_t to, size_t from, size_t size)
{
	for (size_t i = 0; i < ROOM; i++) {
		unsigned char expected = i < to || i >= to + size ? 0xee : source[i - to + from];

		if (target[i] != expected) {
			return false;
		}
	}
	return true;
}

static void wipe(void)
{
	for (size_t i = 0; i < ROOM; i++) {
		target[i] = 0xee;
	}
}

static void fill(void)
{
	for (size_t i = 0; i < ROOM; i++) {
		source[i] = (unsigned char)(i * 7 + 1);
	}
	wipe();
}

TEST(copy_of_any_size_at_any_alignment)
{
	unsigned int wrong = 0;

	fill();
	for (size_t size = 0; size <= SIZE_MAX_; size++) {
		for (size_t at = 0; at < 16; at++) {
			size_t to = BORDER + at % 4;
			size_t from = BORDER + at / 4;

			wipe();
			wrong += arch_copy_guarded(target + to, source + from, size,
						   at % 2 ? ARCH_COPY_FROM : ARCH_COPY_TO) !=
				 ARCH_COPY_DONE;
			wrong += !is_copied(to, from, size);
		}
	}
	CHECK_EQ(wrong, 0);
}

TEST(copy_of_nothing_looks_nowhere)
{
	CHECK_EQ(arch_copy_guarded(nowhere(0), nowhere(0), 0, ARCH_COPY_FROM), ARCH_COPY_DONE);
	CHECK_EQ(arch_copy_guarded(nowhere(1), nowhere(2), 0, 0), ARCH_COPY_DONE);
}

/* Whatever the loop is that meets the fault: single bytes, words, blocks. */
static void copy_with_bad_sides(void *arg)
{
	static const unsigned char sizes[] = {1, 3, 4, 7, 8, 16, 33, 64};

	wipe();
	for (unsigned int at = 0; at < 16; at++) {
		for (unsigned int i = 0; i < sizeof(sizes); i++) {
			unsigned char *here = target + BORDER + at / 4;
			void *bad = nowhere(at % 4);

			CHECK_EQ(arch_copy_guarded(here, bad, sizes[i], ARCH_COPY_FROM),
				 ARCH_COPY_FAULTED);
			CHECK_EQ(arch_copy_guarded(bad, here, sizes[i], ARCH_COPY_TO),
				 ARCH_COPY_FAULTED);
			CHECK_EQ(arch_copy_guarded(bad, bad, sizes[i],
						   ARCH_COPY_FROM | ARCH_COPY_TO),
				 ARCH_COPY_FAULTED);
		}
	}
	CHECK(is_copied(0, 0, 0)); /* nothing was written */
	CHECK_EQ(arch_copy_guarded(target, source, ROOM, ARCH_COPY_FROM), ARCH_COPY_DONE);
	CHECK(is_copied(0, 0, ROOM));
	note('c');
}

static void note_handler(void *arg)
{
	note('i');
}

TEST(copy_from_nowhere_and_to_nowhere)
{
	fill();
	copy_with_bad_sides(NULL);
	in_isr(note_handler, NULL);
	CHECK_NOTES("ci");
}

TEST(copy_from_what_is_no_address_and_to_it)
{
	fill();
	where = NO_ADDRESS;
	copy_with_bad_sides(NULL);
	in_isr(copy_with_bad_sides, NULL);
	where = NOWHERE;
	CHECK_NOTES("cc");
}

TEST(copy_faults_with_interrupts_masked_and_they_stay_so)
{
	unsigned int key = irq_lock();

	fill();
	in_isr(note_handler, NULL);
	copy_with_bad_sides(NULL);
	note('m');
	irq_unlock(key);
	note('o');
	CHECK_NOTES("cmio");
}

/* The handler goes on after each, and the interrupted thread goes on after that. */
TEST(copy_faults_in_a_handler)
{
	fill();
	in_isr(copy_with_bad_sides, NULL);
	note('t');
	in_isr(copy_with_bad_sides, NULL);
	note('t');
	CHECK(!k_is_in_isr());
	CHECK_NOTES("ctct");
}

static void copy_masked_in_handler(void *arg)
{
	unsigned int key = irq_lock();

	copy_with_bad_sides(arg);
	irq_unlock(key);
}

TEST(copy_faults_in_a_handler_that_has_interrupts_masked)
{
	fill();
	in_isr(copy_masked_in_handler, NULL);
	note('t');
	CHECK_NOTES("ct");
}

static unsigned int expiries;
static unsigned char handlers_target[4];

static void copy_in_timer(struct k_timer *timer)
{
	expiries++;
	CHECK_EQ(arch_copy_guarded(handlers_target, nowhere(expiries % 4), 4, ARCH_COPY_FROM),
		 ARCH_COPY_FAULTED);
	CHECK_EQ(arch_copy_guarded(handlers_target, source, 4, ARCH_COPY_FROM), ARCH_COPY_DONE);
}

/* Handlers' copies, bad and good, somewhere inside a thread's, and switches too. */
TEST(copies_nest)
{
	static struct k_timer timer;
	unsigned int wrong = 0;

	fill();
	expiries = 0;
	k_timer_init(&timer, copy_in_timer, NULL);
	k_timer_start(&timer, K_TICKS(1), K_TICKS(1));
	while (expiries < 50) {
		wipe();
		wrong += arch_copy_guarded(target, source, ROOM, ARCH_COPY_TO) != ARCH_COPY_DONE;
		wrong += !is_copied(0, 0, ROOM);
		wrong += arch_copy_guarded(nowhere(0), source, ROOM, ARCH_COPY_TO) !=
			 ARCH_COPY_FAULTED;
		wrong += arch_copy_guarded(target, nowhere(1), ROOM, ARCH_COPY_FROM) !=
			 ARCH_COPY_FAULTED;
#if __STDC_HOSTED__
		k_busy_wait(500); /* time passes on the fake machine: there only if asked */
#endif
	}
	k_timer_stop(&timer);
	CHECK_EQ(wrong, 0);
}
