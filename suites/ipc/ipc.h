/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a message costs: one way, and there and back; between kernel threads, and between user threads of one domain (intra)
 * and of two (inter). The rows' windows are measure_pair()'s, so that `call` lasts from before the client's call to
 * behind the server's receipt, and `reply` from before the server's answer to behind the client's call.
 *
 * A message always has four words: rows of fewer would be the same. Ten are four and six words' bytes.
 */
#ifndef IPC_SUITE_H
#define IPC_SUITE_H

#include <measure.h>
#include <measure_user.h>

enum where { KERNEL, INTRA, INTER, NUM_WHERE };

/* ".kernel" and the like; the text behind what is measured. */
extern const char *const where_names[NUM_WHERE];

/*
 * Put the server, measure_waiter, where it belongs, when it is granted; any other thread is a client, in the
 * default domain. In between rows. Nothing for kernel threads.
 */
void domains_begin(enum where where);
void domains_place(k_tid_t thread);
/* The same for a server that is another thread. */
void domains_place_server(k_tid_t thread);
/* The server's domain is another one, and has memory that clients cannot read: tried, and died of. */
void domains_prepare(void);
/* In a server's judge: is it in the domain that it was put into, with memory of its own? */
bool domains_server_is_there(void);

void measure_calls(void);
void measure_signals(void);
/* Nothing where a port delivers none, or has no user mode. */
void measure_faults(void);
void measure_yields(void);
/* Nothing where there are no page tables. */
void measure_pages(void);

#endif /* IPC_SUITE_H */
