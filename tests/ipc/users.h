/* SPDX-License-Identifier: Apache-2.0 */
/* Two user threads in two domains: a client, and a server. Each has a partition that the other cannot reach. */
#ifndef TESTS_IPC_USERS_H
#define TESTS_IPC_USERS_H

#include "server.h"

#define BYTES 200

/* What a side says, which main() reads; and where its bytes are. */
struct side {
	volatile intptr_t result;
	volatile intptr_t word;
	volatile bool is_done;
	char bytes[BYTES] __aligned(8);
};

extern struct side clients, servers;
extern struct k_thread client, server;
extern struct k_mem_domain client_domain, server_domain;
extern unsigned int faults, last_reason;

/* Create one, not started; the client may call `gate`, the server receives from `endpoint`. */
void prepare_client(k_thread_entry_t entry, void *p1, void *p2);
void prepare_server(k_thread_entry_t entry, void *p1, void *p2);
/* Both have ended or are ended, and nothing is left at the endpoint. */
void end_both(void);

#endif /* TESTS_IPC_USERS_H */
