/* SPDX-License-Identifier: Apache-2.0 */
/* A pair of operations between threads of either mode: see latency.h. */
#include "latency.h"

static const char *id_of(char id[48], const char *operation, bool from_user, bool to_user)
{
	(void)snprintk(id, 48, "%s.%c_to_%c", operation, from_user ? 'u' : 'k',
		       to_user ? 'u' : 'k');
	return id;
}

static void measure_modes(const struct measure_pair *pair, bool waiter_is_user, bool waker_is_user)
{
	static char ids[2][48];
	struct measure_pair modes = *pair;

	modes.wait.id = id_of(ids[0], pair->wait.id, waiter_is_user, waker_is_user);
	modes.wake.id = id_of(ids[1], pair->wake.id, waker_is_user, waiter_is_user);
	modes.waiter_is_user = waiter_is_user;
	modes.waker_is_user = waker_is_user;
	measure_pair(&modes);
}

void latency_pair_users(const struct measure_pair *pair)
{
	if (IS_ENABLED(CONFIG_USERSPACE)) {
		measure_modes(pair, false, true);
		measure_modes(pair, true, false);
		measure_modes(pair, true, true);
	}
}

void latency_pair(const struct measure_pair *pair)
{
	measure_modes(pair, false, false);
	latency_pair_users(pair);
}
