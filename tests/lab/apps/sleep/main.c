/* SPDX-License-Identifier: Apache-2.0 */
/* Firmware that waits for what nobody will give: no end either, but an idle core. */
#include <foliot/kernel.h>

K_SEM_DEFINE(never, 0, 1);

int main(void)
{
	printk("about to wait\n");
	return k_sem_take(&never, K_FOREVER);
}
