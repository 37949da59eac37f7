/* SPDX-License-Identifier: Apache-2.0 */
/* What is linked only where something else is. */
#ifndef FOLIOT_LIB_ALSO_LINK_H
#define FOLIOT_LIB_ALSO_LINK_H

/*
 * In a file, behind its includes: whatever is linked with it, so is the archive's file that defines
 * NAME, which others, not this one, refer to weakly. Nothing is called, and nothing is defined.
 */
#define ALSO_LINK(name) __asm__(".globl " #name)

#endif /* FOLIOT_LIB_ALSO_LINK_H */
