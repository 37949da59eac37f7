/* SPDX-License-Identifier: Apache-2.0 */
/* A file that says its level by LOG_LEVEL. */
#include <zephyr/kernel.h>
#include "quiet.h"

#define LOG_LEVEL 1
#include <zephyr/logging/log.h>
LOG_MODULE_DECLARE(main);

void say_in_another_file(void)
{
	LOG_WRN("quiet warning");
	LOG_ERR("quiet error");
}
