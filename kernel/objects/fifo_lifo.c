/* SPDX-License-Identifier: Apache-2.0 */
/* A queue's two faces, which are objects of their own where objects are listed. */
#include "kernel/hooks/object.h"

IN_EITHER_MODE void k_fifo_init(struct k_fifo *fifo)
{
	object_init_begin(fifo, fifo);
	k_queue_init(&fifo->_queue);
	object_init_end(fifo, fifo);
}

IN_EITHER_MODE void k_lifo_init(struct k_lifo *lifo)
{
	object_init_begin(lifo, lifo);
	k_queue_init(&lifo->_queue);
	object_init_end(lifo, lifo);
}
