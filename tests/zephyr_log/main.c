/* SPDX-License-Identifier: Apache-2.0 */
/* Says something of each kind, and how many arguments were evaluated. */
#include <zephyr/kernel.h>
#include <zephyr/logging/log.h>
#include <zephyr/logging/log_ctrl.h>
#include "quiet.h"

LOG_MODULE_REGISTER(main);

static int evaluated;

static int count(void)
{
	return ++evaluated;
}

int main(void)
{
	static const uint8_t bytes[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 255};

	LOG_INIT();
	LOG_INF("started");
	LOG_ERR("%d of %s", 2, "three");
	if (evaluated == 0)
		LOG_DBG("debug %d", count());
	else
		LOG_ERR("never");
	LOG_WRN("counted %d", count());
	LOG_PRINTK("raw %u\n", 7U);
	LOG_HEXDUMP_INF(bytes, sizeof(bytes), "bytes");
	LOG_HEXDUMP_DBG(bytes, 1, "one");
	say_in_another_file();
	LOG_PANIC();
	printk("evaluated %d\n", evaluated);
	k_exit(0);
}
