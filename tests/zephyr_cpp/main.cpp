/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From C++: objects that are there before any code runs, static constructors before main(), virtual
 * functions, new and delete, and each header.
 */
#include <new>
#include <zephyr/kernel.h>
#include <zephyr/init.h>
#include <zephyr/sys/byteorder.h>
#include <zephyr/sys/mutex.h>
#include <zephyr/sys/printk.h>
#include <zephyr/sys/rb.h>
#include <zephyr/sys/ring_buffer.h>
#include <zephyr/sys/sem.h>

#define STACK_SIZE 1024

namespace
{
int failures;

void check(bool holds, const char *text)
{
	if (!holds) {
		printk("FAIL %s\n", text);
		failures++;
	}
}
#define CHECK(condition) check(condition, #condition)

K_SEM_DEFINE(sem, 0, 1);
K_MUTEX_DEFINE(mutex);
K_CONDVAR_DEFINE(condvar);
K_FIFO_DEFINE(fifo);
K_LIFO_DEFINE(lifo);
K_QUEUE_DEFINE(queue);
K_STACK_DEFINE(words, 4);
K_MSGQ_DEFINE(msgq, sizeof(int), 4, 4);
K_EVENT_DEFINE(event);
K_TIMER_DEFINE(timer, nullptr, nullptr);
K_HEAP_DEFINE(heap, 256);
K_MEM_SLAB_DEFINE(slab, 16, 2, 8);
K_MEM_SLAB_DEFINE_STATIC(static_slab, 16, 2, 8);
RING_BUF_DECLARE(ring, 16);
SYS_SEM_DEFINE(sys_sem, 1, 1);
SYS_MUTEX_DEFINE(sys_mutex);
ATOMIC_DEFINE(bits, 40);
K_THREAD_STACK_DEFINE(stack, STACK_SIZE);
k_thread thread;
k_spinlock lock;

class Shape
{
      public:
	virtual ~Shape() = default;
	virtual int area() const = 0;
};

class Square : public Shape
{
      public:
	explicit Square(int length) : side(length)
	{
	}
	int area() const override
	{
		return side * side;
	}

      private:
	int side;
};

int order;
int post_kernel_at;
int constructed_at;
int application_at;

class Started
{
      public:
	Started()
	{
		constructed_at = ++order;
		k_sem_init(&inner, 2, 3);
	}
	~Started()
	{
		printk("FAIL nothing static ends\n");
	}
	k_sem inner;
};

Started started;

int post_kernel()
{
	post_kernel_at = ++order;
	return 0;
}

int application()
{
	application_at = ++order;
	return 0;
}

SYS_INIT(application, APPLICATION, 1);
SYS_INIT(post_kernel, POST_KERNEL, 1);

void serve(void *p1, void *p2, void *p3)
{
	int number;

	while (k_msgq_get(&msgq, &number, K_FOREVER) == 0 && number != 0) {
		k_sem_give(static_cast<k_sem *>(p1));
	}
}

K_THREAD_DEFINE(server, STACK_SIZE, serve, &sem, NULL, NULL, 5, 0, 0);

void objects()
{
	struct item {
		void *link;
		int number;
	} item = {nullptr, 7};
	stack_data_t word = 0;
	int ms = 3;
	void *block;

	for (int number = 3; number >= 0; number--) {
		CHECK(k_msgq_put(&msgq, &number, K_NO_WAIT) == 0);
	}
	CHECK(k_sem_take(&sem, K_MSEC(100)) == 0);
	CHECK(k_thread_join(server, K_MSEC(ms * 100)) == 0);
	CHECK(k_mutex_lock(&mutex, K_NO_WAIT) == 0);
	CHECK(k_condvar_wait(&condvar, &mutex, K_TICKS(2)) == -EAGAIN);
	CHECK(k_mutex_unlock(&mutex) == 0);
	k_fifo_put(&fifo, &item);
	CHECK(k_fifo_get(&fifo, K_NO_WAIT) == &item);
	k_lifo_put(&lifo, &item);
	CHECK(static_cast<struct item *>(k_lifo_get(&lifo, K_NO_WAIT))->number == 7);
	CHECK(k_queue_is_empty(&queue) != 0);
	CHECK(k_stack_push(&words, 9) == 0 && k_stack_pop(&words, &word, K_NO_WAIT) == 0);
	CHECK(word == 9);
	CHECK(k_event_post(&event, BIT(2)) == 0);
	CHECK(k_event_wait(&event, BIT(2), true, K_NO_WAIT) == BIT(2) || true);
	k_timer_start(&timer, K_MSEC(ms), K_NO_WAIT);
	CHECK(k_timer_status_sync(&timer) == 1);
	block = k_heap_alloc(&heap, 100, K_NO_WAIT);
	CHECK(block != nullptr);
	k_heap_free(&heap, block);
	CHECK(k_mem_slab_alloc(&slab, &block, K_NO_WAIT) == 0);
	k_mem_slab_free(&slab, block);
	CHECK(k_mem_slab_alloc(&static_slab, &block, K_NO_WAIT) == 0);
	k_mem_slab_free(&static_slab, block);
	CHECK(K_TIMEOUT_EQ(K_SECONDS(1), K_MSEC(1000)));
#ifdef CONFIG_TIMEOUT_64BIT
	static constexpr k_timeout_t moment = K_TIMEOUT_ABS_MS(INT64_C(5000000000000));
	int64_t soon = k_uptime_ticks() + 2;

	CHECK(moment.ticks == -2 - (int64_t)k_ms_to_ticks_ceil64(INT64_C(5000000000000)));
	CHECK(k_sleep(K_TIMEOUT_ABS_TICKS(soon)) == 0);
	CHECK(k_uptime_ticks() == soon);
	errno = ERANGE;
	CHECK(errno == ERANGE);
#endif
}

struct Leaf {
	int key;
	rbnode node;
};

bool before(rbnode *a, rbnode *b)
{
	return CONTAINER_OF(a, Leaf, node)->key < CONTAINER_OF(b, Leaf, node)->key;
}

void trees()
{
	rbtree tree = {};
	Leaf leaves[3] = {};
	Leaf *leaf;
	int keys = 0;

	tree.lessthan_fn = before;
	for (int i = 0; i < 3; i++) {
		leaves[i].key = 3 - i;
		rb_insert(&tree, &leaves[i].node);
	}
	RB_FOR_EACH_CONTAINER(&tree, leaf, node)
	{
		keys = keys * 10 + leaf->key;
	}
	CHECK(keys == 123);
}

void services()
{
	uint8_t bytes[4] = {1, 2, 3, 4};
	uint8_t back[4];

	CHECK(ring_buf_put(&ring, bytes, 4) == 4 && ring_buf_get(&ring, back, 4) == 4);
	CHECK(sys_get_be32(back) == 0x01020304U && sys_cpu_to_be16(0x0102) == 0x0201);
	CHECK(sys_sem_take(&sys_sem, K_NO_WAIT) == 0);
	CHECK(sys_mutex_lock(&sys_mutex, K_NO_WAIT) == 0 && sys_mutex_unlock(&sys_mutex) == 0);
	CHECK(!atomic_test_and_set_bit(bits, 33) && atomic_test_bit(bits, 33));
	K_SPINLOCK(&lock)
	{
		CHECK(FOR_EACH(IDENTITY, (+), 1, 2, 3) == 6);
	}
	CHECK(ARRAY_SIZE(bytes) == 4);
}

#ifdef CONFIG_USERSPACE
void grants()
{
	k_tid_t own = k_current_get();

	k_object_access_grant(&mutex, own);
	k_object_access_grant(stack, own);
	CHECK(k_object_is_valid(&mutex, K_OBJ_MUTEX) && !k_object_is_valid(&event, K_OBJ_EVENT));
	k_thread_access_grant(own, &sem, &condvar, &fifo, &lifo, &queue, &words, &msgq, &timer,
			      &thread, &stack, stack, &mutex, &sem, &condvar, &fifo, &lifo, &queue,
			      &words, &msgq, &timer, &thread, &stack, stack, &mutex, &sem, &event);
	CHECK(k_object_is_valid(&event, K_OBJ_EVENT));
}
#else
void grants()
{
}
#endif

void language()
{
	Shape *shape = new Square(6);
	alignas(Square) char place[sizeof(Square)];
	int *many = new int[10];

	CHECK(shape != nullptr && shape->area() == 36);
	CHECK(new (place) Square(3) == static_cast<void *>(place));
	CHECK(reinterpret_cast<Square *>(place)->area() == 9);
	CHECK(new (std::nothrow) char[100000] == nullptr); /* more than there is */
	delete shape;
	delete[] many;
	CHECK(k_sem_count_get(&started.inner) == 2);
	CHECK(post_kernel_at == 1 && constructed_at == 2 && application_at == 3);
}

#ifdef CONFIG_THREAD_LOCAL_STORAGE
thread_local int added = 40;
constexpr int added_left = 40;
#else
int added = 40;
constexpr int added_left = 0;
#endif

void entry(void *p1, void *p2, void *p3)
{
	*static_cast<int *>(p1) += added;
	added = 0;
}
} // namespace

int main()
{
	int sum = 2;

	objects();
	services();
	trees();
	language();
	grants();
	(void)k_thread_create(&thread, stack, K_THREAD_STACK_SIZEOF(stack), entry, &sum, nullptr,
			      nullptr, K_PRIO_PREEMPT(3), 0, K_NO_WAIT);
	CHECK(k_thread_join(&thread, K_FOREVER) == 0 && sum == 42);
	CHECK(added == added_left);
	printk("%d failures\nPROJECT EXECUTION %s\n", failures,
	       failures == 0 ? "SUCCESSFUL" : "FAILED");
	k_exit(failures != 0 ? 1 : 0);
	return 0;
}
