/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program of static threads needs no main(), as in Zephyr: this one is linked where it has none.
 */
int main(void);

int main(void)
{
	return 0;
}
