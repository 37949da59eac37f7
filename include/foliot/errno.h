/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Error numbers, which functions return negated. The kernel is freestanding and must
 * not depend on a C library, so it brings those it needs and a few that programs use; the values are
 * newlib's, as Zephyr's users expect them.
 */
#ifndef FOLIOT_ERRNO_H
#define FOLIOT_ERRNO_H

#ifndef EPERM
#define EPERM      1  /**< not the owner */
#define ENOENT     2  /**< no such thing */
#define ESRCH      3  /**< no such thread */
#define EINTR      4  /**< interrupted */
#define EAGAIN     11 /**< timed out, or the object was reset */
#define ENOMEM     12 /**< no memory */
#define EFAULT     14 /**< bad address */
#define EBUSY      16 /**< would have to wait, and K_NO_WAIT was given */
#define EINVAL     22 /**< bad argument */
#define ENOSPC     28 /**< no room left */
#define ENOMSG     35 /**< no message */
#define EDEADLK    45 /**< would never return */
#define ENOTSUP    134 /**< not supported by this build */
#define EOVERFLOW  139 /**< value too large */
#define ECANCELED  140 /**< cancelled */
#define EOWNERDEAD 142 /**< the last owner ended while it held it */
#endif

#ifndef EWOULDBLOCK
#define EWOULDBLOCK EAGAIN /**< would have to wait, in a context that cannot */
#endif

#endif /* FOLIOT_ERRNO_H */
