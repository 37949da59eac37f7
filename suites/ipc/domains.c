/* SPDX-License-Identifier: Apache-2.0 */
/* The two domains. Both hold the library's memory, which the stamps lie in; the server's holds a partition besides. */
#include "ipc.h"

const char *const where_names[NUM_WHERE] = {"kernel", "intra", "inter"};

#ifdef CONFIG_USERSPACE
K_APPMEM_PARTITION_DEFINE(server_memory);
static K_APP_BMEM(server_memory) volatile uint32_t of_the_servers;
static struct k_mem_domain server_domain;
static enum where now;
static MEASURE_SHARED bool is_inter;

void domains_begin(enum where where)
{
	now = where;
	is_inter = where == INTER;
}

void domains_place(k_tid_t thread)
{
	if (thread == &measure_waiter) {
		domains_place_server(thread);
	}
}

void domains_place_server(k_tid_t thread)
{
	if (now == INTER) {
		(void)k_mem_domain_add_thread(&server_domain, thread);
	}
}

bool domains_server_is_there(void)
{
	uint32_t before;

	if (!is_inter) {
		return true;
	}
	before = of_the_servers++; /* a fault anywhere else: clients tried */
	return of_the_servers == before + 1U;
}

void domains_prepare(void)
{
	measure_user_begin();
	(void)k_mem_domain_init(&server_domain, 0, NULL);
	/* Bound: CONFIG_MAX_DOMAIN_PARTITIONS. */
	for (unsigned int i = 0; i < k_mem_domain_default.num_partitions; i++) {
		(void)k_mem_domain_add_partition(&server_domain,
						 &k_mem_domain_default.partitions[i]);
	}
	if (k_mem_domain_add_partition(&server_domain, &server_memory) != 0) {
		printk("the server's domain has no region left\n");
		k_exit(1);
	}
	measure_user_probe(&of_the_servers);
}
#else
void domains_begin(enum where where)
{
}

void domains_place(k_tid_t thread)
{
}

void domains_prepare(void)
{
}

bool domains_server_is_there(void)
{
	return true;
}
#endif
