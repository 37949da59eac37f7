/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A null system call; calls and answers of 4 and of 10 words, one way, and as means of a loop. With CONFIG_FPU all of them once
 * more, between threads that both have the registers of the floating-point unit in use, and find them as they were.
 */
#include "ipc.h"

#define ROUNDS ((uint32_t)CONFIG_IPC_LOOP_ROUNDS)
#define BADGE  77U
#define BYTES  (6U * sizeof(uintptr_t)) /* six words of a message of ten */

K_IPC_ENDPOINT_DEFINE(endpoint);
K_IPC_GATE_DEFINE(gate, &endpoint, BADGE);

/* Each side's message, in the memory of the stamps; the words count up with each call. */
static MEASURE_SHARED struct k_ipc_message out, in;
static MEASURE_SHARED uintptr_t out_bytes[6], in_bytes[6];
static MEASURE_SHARED size_t size;
static MEASURE_SHARED uint32_t received;

MEASURE_WINDOW(call, result = k_ipc_call(&gate, &out, K_FOREVER))
MEASURE_WINDOW(answer, result = k_ipc_reply_receive(&endpoint, &in, K_FOREVER))

static void call_before(void)
{
	out.words[3]++;
	out.data = out_bytes;
	out.size = size;
	out.capacity = size;
	/* Bound: the words of bytes. */
	for (uintptr_t i = 0; i < ARRAY_SIZE(out_bytes); i++) {
		out_bytes[i] = out.words[3] * (i + 2U);
	}
}

/* Each word of the bytes is the sender's, or, of an answer's, its complement. */
static bool bytes_are_there(const uintptr_t *bytes, uintptr_t complement)
{
	bool are = true;

	/* Bound: the words of bytes. */
	for (uintptr_t i = 0; i < ARRAY_SIZE(out_bytes) && size != 0; i++) {
		are = are && (bytes[i] ^ complement) == out.words[3] * (i + 2U);
	}
	return are;
}

/* The answer is the question's last word, complemented, by who has really received it. */
static void call_after(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "answered",
			result == 0 && out.words[0] == ~out.words[3] && out.badge == 0 &&
				out.size == size && bytes_are_there(out_bytes, ~(uintptr_t)0));
}

static void answer_before(void)
{
	in.words[0] = ~in.words[3];
	in.data = in_bytes;
	in.size = size;
	in.capacity = size;
	/* Bound: the words of bytes. */
	for (unsigned int i = 0; i < ARRAY_SIZE(in_bytes); i++) {
		in_bytes[i] = ~in_bytes[i];
	}
}

static void answer_after(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "received",
			result == 0 && in.badge == BADGE && in.words[3] == out.words[3] &&
				in.size == size && bytes_are_there(in_bytes, 0));
	measure_witness(row, "its_domain", domains_server_is_there());
	if (!sweep_wants(++received)) {
		answer_before();
		(void)k_ipc_reply(&in); /* the last call: the thread ends now */
	}
}

static void grant(k_tid_t thread)
{
	k_thread_access_grant(thread, &gate, &endpoint);
	domains_place(thread);
}

/* Threads that compute with floating point, or do not: their windows, and who judges. */
struct way {
	const char *suffix, *text;
	struct {
		measure_window_fn call, answer, round_trips;
	} windows;
	void (*call_after)(struct measure_row *row, intptr_t result);
	void (*answer_after)(struct measure_row *row, intptr_t result);
	void (*serve)(void *p1, void *p2, void *p3);
	bool (*has_kept)(void); /* after a loop */
};

static void measure_one_way(const struct way *way, enum where where, unsigned int words)
{
	static char ids[2][32], texts[2][64];

	size = words > K_IPC_WORDS ? BYTES : 0;
	received = 0;
	domains_begin(where);
	(void)snprintk(ids[0], sizeof(ids[0]), "ipc.reply.%s.%u%s", where_names[where], words,
		       way->suffix);
	(void)snprintk(ids[1], sizeof(ids[1]), "ipc.call.%s.%u%s", where_names[where], words,
		       way->suffix);
	(void)snprintk(texts[0], sizeof(texts[0]), "An answer, %u words, one way (%s%s)", words,
		       where_names[where], way->text);
	(void)snprintk(texts[1], sizeof(texts[1]), "A call, %u words, one way (%s%s)", words,
		       where_names[where], way->text);
	measure_pair(&(struct measure_pair){
		.wait = {ids[0], texts[0], way->windows.answer, answer_before, way->answer_after},
		.wake = {ids[1], texts[1], way->windows.call, call_before, way->call_after},
		.wait_q = &endpoint.receivers,
		.waiter_is_user = where != KERNEL,
		.waker_is_user = where != KERNEL,
		.grant = grant,
	});
}

#ifdef CONFIG_USERSPACE
/* ---- there and back, and the mean of a loop, as L4Re's page has it ---- */

static struct k_thread server;
static K_THREAD_STACK_DEFINE(server_stack, CONFIG_MEASURE_WAITER_STACK_SIZE);

static MEASURE_SHARED uint32_t served;

static void serve(void *unused_1, void *unused_2, void *unused_3)
{
	struct k_ipc_message message = {.capacity = 0};
	int result = k_ipc_receive(&endpoint, &message, K_FOREVER);

	/* Bound: the suite, which ends it. */
	while (result == 0) {
		served++;
		message.words[0] = ~message.words[3];
		result = k_ipc_reply_receive(&endpoint, &message, K_FOREVER);
	}
}

MEASURE_WINDOW(null_call, (void)k_current_get())
MEASURE_WINDOW(round_trips,
	       for (uint32_t i = 0; i < ROUNDS; i++) result |= k_ipc_call(&gate, &out, K_FOREVER))

static bool has_nothing_to_keep(void)
{
	return true;
}

static const struct way ordinary = {
	.suffix = "",
	.text = "",
	.windows = {call, answer, round_trips},
	.call_after = call_after,
	.answer_after = answer_after,
	.serve = serve,
	.has_kept = has_nothing_to_keep,
};

static void start_server(const struct way *way, enum where where)
{
	domains_begin(where);
	(void)k_thread_create(&server, server_stack, K_THREAD_STACK_SIZEOF(server_stack),
			      way->serve, NULL, NULL, NULL,
			      k_thread_priority_get(k_current_get()) - 2, K_USER, K_FOREVER);
	k_thread_access_grant(&server, &endpoint);
	domains_place_server(&server);
	k_thread_start(&server);
}

static void measure_means(const struct way *way, enum where where)
{
	static char ids[2][32];
	static struct measure_row row;
	struct measure_window window;

	size = 0;
	(void)snprintk(ids[0], sizeof(ids[0]), "ipc.round.%s%s", where_names[where], way->suffix);
	(void)snprintk(ids[1], sizeof(ids[1]), "ipc.mean.%s%s", where_names[where], way->suffix);
	measure_user_open(grant);
	start_server(way, where);
	measure_user_single(&(struct measure_operation){
		ids[0], "A call and its answer", way->windows.call, call_before, way->call_after});
	measure_row_begin(&row, ids[1], "One way: half a round trip, the mean of a loop");
	measure_user_overhead(&row, true, true);
	row.batch = 2U * ROUNDS;
	/* Bound: CONFIG_MEASURE_SAMPLES. */
	for (uint32_t i = 0; sweep_wants(i); i++) {
		uint32_t before = served;
		intptr_t result;

		call_before();
		result = measure_user_call(way->windows.round_trips, &window);
		measure_add(&row, 0,
			    (window.end - window.start + ROUNDS) / (2U * ROUNDS) +
				    (uint32_t)row.overhead);
		measure_witness(&row, "served", result == 0 && served - before == ROUNDS);
		measure_witness(&row, "user", measure_user_was_user());
		measure_witness(&row, "kept", way->has_kept());
	}
	measure_row_end(&row);
	measure_user_close();
	k_thread_abort(&server);
}

static void called(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "returned", true);
}

static void measure_ways(const struct way *way)
{
	for (enum where where = INTRA; where <= INTER; where++) {
		measure_one_way(way, where, 4);
		measure_one_way(way, where, 10);
		measure_means(way, where);
	}
}

#ifdef CONFIG_FPU
/* ---- both with floating point in use ---- */

/*
 * The port's (arch/PORT/suites/floating.S): something else in each register of the unit, of which `pattern` says what; and whether it
 * is there still, as far as the port promises it of a system call, and nothing of anybody else's in the others. The caller
 * has no values in them.
 */
void floating_fill(uintptr_t pattern);
bool floating_is(uintptr_t pattern);

#define OF_CLIENT 0x11000000U
#define OF_SERVER 0x22000000U
#define LAST      1U /* in words[2], of the call behind which the server looks */

static MEASURE_SHARED bool client_kept, server_kept;

static intptr_t around(measure_window_fn function, struct measure_window *window)
{
	uintptr_t pattern = OF_CLIENT + (out.words[3] & 0xFFFFU);
	intptr_t result;

	floating_fill(pattern);
	result = function(window);
	client_kept = floating_is(pattern);
	return result;
}

static intptr_t floating_call(struct measure_window *window)
{
	return around(call, window);
}

static intptr_t floating_answer(struct measure_window *window)
{
	uintptr_t pattern = OF_SERVER + (in.words[3] & 0xFFFFU);
	intptr_t result;

	floating_fill(pattern);
	result = answer(window);
	server_kept = floating_is(pattern);
	return result;
}

/* The server looks when the last call comes, which is none of the window's. */
static intptr_t floating_round_trips(struct measure_window *window)
{
	intptr_t result = around(round_trips, window);

	out.words[2] = LAST;
	result |= k_ipc_call(&gate, &out, K_FOREVER);
	out.words[2] = 0;
	return result;
}

static void floating_call_after(struct measure_row *row, intptr_t result)
{
	call_after(row, result);
	measure_witness(row, "floating_point_kept", client_kept);
}

static void floating_answer_after(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "floating_point_kept", server_kept);
	answer_after(row, result);
}

/* As serve(), but for the word that it looks at besides. */
static void floating_serve(void *unused_1, void *unused_2, void *unused_3)
{
	struct k_ipc_message message = {.capacity = 0};
	uintptr_t pattern = OF_SERVER;
	int result;

	floating_fill(pattern);
	result = k_ipc_receive(&endpoint, &message, K_FOREVER);
	/* Bound: the suite, which ends it. */
	while (result == 0) {
		/* Bound: the suite. */
		while (result == 0 && message.words[2] != LAST) {
			served++;
			message.words[0] = ~message.words[3];
			result = k_ipc_reply_receive(&endpoint, &message, K_FOREVER);
		}
		server_kept = floating_is(pattern++);
		floating_fill(pattern);
		result |= k_ipc_reply_receive(&endpoint, &message, K_FOREVER);
	}
}

static bool both_have_kept(void)
{
	return client_kept && server_kept;
}

static const struct way floating = {
	.suffix = ".fp",
	.text = ", floating point",
	.windows = {floating_call, floating_answer, floating_round_trips},
	.call_after = floating_call_after,
	.answer_after = floating_answer_after,
	.serve = floating_serve,
	.has_kept = both_have_kept,
};

static void measure_floating(void)
{
	measure_ways(&floating);
}
#else
static void measure_floating(void)
{
}
#endif

static void measure_users(void)
{
	measure_user_open(NULL);
	measure_user_single(&(struct measure_operation){
		"syscall.null.user", "A system call that does nothing", null_call, NULL, called});
	measure_user_close();
	measure_ways(&ordinary);
	measure_floating();
}
#else
static const struct way ordinary = {
	.suffix = "",
	.text = "",
	.windows = {call, answer},
	.call_after = call_after,
	.answer_after = answer_after,
};

static void measure_users(void)
{
}
#endif

void measure_calls(void)
{
	measure_one_way(&ordinary, KERNEL, 4);
	measure_one_way(&ordinary, KERNEL, 10);
	measure_users();
}
