/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Memory domains (CONFIG_USERSPACE): which memory user threads share. A domain is a set of
 * partitions; each thread is in one domain, at first its creator's.
 */
#ifndef FOLIOT_MEM_DOMAIN_H
#define FOLIOT_MEM_DOMAIN_H

#ifdef CONFIG_USERSPACE

#include <foliot/thread.h>
#include <arch_user.h>

/** What user threads may do in a partition: one of the values below. */
typedef uint32_t k_mem_partition_attr_t;

#define K_MEM_PARTITION_READ_  1U
#define K_MEM_PARTITION_WRITE_ 2U
#define K_MEM_PARTITION_EXEC_  4U

/** Users read and write. Here and below: the kernel's own access, P, is not limited. */
#define K_MEM_PARTITION_P_RW_U_RW (K_MEM_PARTITION_READ_ | K_MEM_PARTITION_WRITE_)
/** Users read. */
#define K_MEM_PARTITION_P_RW_U_RO K_MEM_PARTITION_READ_
/** Users have no access. */
#define K_MEM_PARTITION_P_RW_U_NA 0U
/** Users read. */
#define K_MEM_PARTITION_P_RO_U_RO K_MEM_PARTITION_READ_
/** Users have no access. */
#define K_MEM_PARTITION_P_RO_U_NA 0U
/** Users read and execute. */
#define K_MEM_PARTITION_P_RX_U_RX (K_MEM_PARTITION_READ_ | K_MEM_PARTITION_EXEC_)

/** A range of memory, and what may be done there. */
struct k_mem_partition {
	uintptr_t start;
	size_t size; /**< bytes */
	k_mem_partition_attr_t attr;
};

/** A domain. */
struct k_mem_domain {
	struct arch_mem_domain arch; /* first: assembly loads it */
	struct k_mem_partition partitions[CONFIG_MAX_DOMAIN_PARTITIONS];
	uint8_t num_partitions;
	uintptr_t words_start; /* those of the first partition in RAM that its threads may write */
	size_t words_size; /* bytes; 0: there is none */
	struct k_mem_domain *next; /* of all domains */
};

/*@ predicate is_range(integer start, integer size) = start + size <= UINTPTR_MAX;
  @ predicate domain_is_sound{L}(struct k_mem_domain *domain) =
  @   \valid_read(domain) && domain->num_partitions <= CONFIG_MAX_DOMAIN_PARTITIONS &&
  @   \forall integer i; 0 <= i < domain->num_partitions ==>
  @     domain->partitions[i].size >= ARCH_PARTITION_ALIGN &&
  @     is_range(domain->partitions[i].start, domain->partitions[i].size);
  @*/

/** The domain of those threads that nobody put into another. */
extern struct k_mem_domain k_mem_domain_default;

/** Define a partition; `attr` is K_MEM_PARTITION_P_RW_U_RW or the like. At file scope. */
#define K_MEM_PARTITION_DEFINE(name, start_, size_, attr_) \
	struct k_mem_partition name = {(uintptr_t)(start_), (size_), (attr_)}

/** Internal: what K_APPMEM_PARTITION_DEFINE() leaves for start-up. */
struct app_partition {
	struct k_mem_partition *partition;
	char *start;
	char *end;
};

/**
 * Define a partition of variables: those that are defined with K_APP_DMEM(name) or
 * K_APP_BMEM(name) in front of them. User threads of a domain that has it may read and write
 * them. At file scope.
 */
#define K_APPMEM_PARTITION_DEFINE(name)                                                     \
	static char __used __aligned(ARCH_PARTITION_ALIGN) _app_start_##name[0]             \
		__attribute__((section(".app." #name ".0")));                               \
	static char __used __aligned(ARCH_PARTITION_ALIGN) _app_end_##name[0]               \
		__attribute__((section(".app." #name ".2")));                               \
	struct k_mem_partition name = {.attr = K_MEM_PARTITION_P_RW_U_RW};                  \
	static const STRUCT_SECTION_ITERABLE(app_partition, app_partition, _app_##name) = { \
		.partition = &name,                                                         \
		.start = _app_start_##name,                                                 \
		.end = _app_end_##name,                                                     \
	}
/** Declare a partition that another file defines. */
#define K_APPMEM_PARTITION_DECLARE(name) extern struct k_mem_partition name
/** In front of a variable: it lies in the partition `name`, with its initial value. */
#define K_APP_DMEM(name)                 __attribute__((section(".app." #name ".1")))
/** The same; for variables that are 0 at first. */
#define K_APP_BMEM(name)                 K_APP_DMEM(name)
/** The section that both put it into, for macros that take one. */
#define K_APP_DMEM_SECTION(name)         .app.name.1
/** The same. */
#define K_APP_BMEM_SECTION(name)         K_APP_DMEM_SECTION(name)

/**
 * Prepare a domain of `num_parts` partitions, copied from `parts` (may be NULL for none).
 * Returns 0, or what k_mem_domain_add_partition() returns for the first that does not fit:
 * -EINVAL, -ENOSPC.
 * Context: thread.
 */
int k_mem_domain_init(struct k_mem_domain *domain, uint8_t num_parts,
		      struct k_mem_partition *parts[]);

/**
 * Add a partition; it is in force at once.
 * Returns 0; -EINVAL: it is empty, wraps, overlaps one of the domain's, is not aligned as
 * the core needs it (ARCH_PARTITION_ALIGN at both ends), may be written and executed, or holds an
 * object that threads have access to, or, on ARMv8-M, reaches into code, constants or stacks;
 * -ENOSPC: the domain has no place left, or the core no region.
 * Context: thread.
 */
int k_mem_domain_add_partition(struct k_mem_domain *domain, struct k_mem_partition *part);

/**
 * Remove the partition with the same start and size; from now on nobody of the domain may touch it.
 * Returns 0; -ENOENT: the domain has none such.
 * Context: thread.
 */
int k_mem_domain_remove_partition(struct k_mem_domain *domain, struct k_mem_partition *part);

/**
 * Move `thread` into `domain`, out of the one it was in.
 * Returns 0.
 * Context: thread.
 */
int k_mem_domain_add_thread(struct k_mem_domain *domain, k_tid_t thread);

#else

#include <foliot/thread.h>

/*
 * All memory is everybody's, and what names a partition is a variable like any other. Domains are
 * not there: calls compile where IS_ENABLED(CONFIG_USERSPACE) leaves them out.
 */
struct k_mem_domain;
struct k_mem_partition;
int k_mem_domain_init(struct k_mem_domain *domain, uint8_t num_parts,
		      struct k_mem_partition *parts[]);
int k_mem_domain_add_partition(struct k_mem_domain *domain, struct k_mem_partition *part);
int k_mem_domain_remove_partition(struct k_mem_domain *domain, struct k_mem_partition *part);
int k_mem_domain_add_thread(struct k_mem_domain *domain, k_tid_t thread);

#define K_APPMEM_PARTITION_DEFINE(name)  extern struct k_mem_partition name
#define K_APPMEM_PARTITION_DECLARE(name) extern struct k_mem_partition name
#define K_APP_DMEM(name)
#define K_APP_BMEM(name)
#define K_APP_DMEM_SECTION(name) .data
#define K_APP_BMEM_SECTION(name) .bss

#endif /* CONFIG_USERSPACE */

#endif /* FOLIOT_MEM_DOMAIN_H */
