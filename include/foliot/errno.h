/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Error numbers, which functions return negated. The kernel is freestanding and must
 * not depend on a C library, so it brings those it needs and a few that programs use; the values
 * are newlib's, as Zephyr's users expect them.
 */
#ifndef FOLIOT_ERRNO_H
#define FOLIOT_ERRNO_H

#if defined(CONFIG_ERRNO) && __STDC_HOSTED__
#include <errno.h> /* whose errno is the process's, not a thread's of ours */
#undef errno
#endif

#ifndef EPERM
#define EPERM       1 /**< not the owner */
#define ENOENT      2 /**< no such thing */
#define ESRCH       3 /**< no such thread */
#define EINTR       4 /**< interrupted */
#define EIO         5 /**< input or output failed */
#define ENXIO       6 /**< no such device or address */
#define E2BIG       7 /**< too long */
#define EBADF       9 /**< bad file */
#define EAGAIN      11 /**< timed out, or the object was reset */
#define ENOMEM      12 /**< no memory */
#define EACCES      13 /**< not allowed */
#define EFAULT      14 /**< bad address */
#define EBUSY       16 /**< would have to wait, and K_NO_WAIT was given */
#define EEXIST      17 /**< it is there already */
#define ENODEV      19 /**< no such device */
#define EINVAL      22 /**< bad argument */
#define ENOSPC      28 /**< no room left */
#define EPIPE       32 /**< nobody is at the other end */
#define EDOM        33 /**< argument out of the domain */
#define ERANGE      34 /**< result too large */
#define ENOMSG      35 /**< no message */
#define EDEADLK     45 /**< would never return */
#define EPROTO      71 /**< wrong by the protocol */
#define EBADMSG     77 /**< bad message */
#define ENOSYS      88 /**< no such function */
#define ENOBUFS     105 /**< no buffer */
#define ESHUTDOWN   110 /**< shut down */
#define EADDRINUSE  112 /**< in use elsewhere */
#define ETIMEDOUT   116 /**< timed out */
#define EINPROGRESS 119 /**< under way */
#define EALREADY    120 /**< under way already */
#define EMSGSIZE    122 /**< message too long */
#define ENOTCONN    128 /**< not connected */
#define ENOTSUP     134 /**< not supported by this build */
#define EILSEQ      138 /**< no such character */
#define EOVERFLOW   139 /**< value too large */
#define ECANCELED   140 /**< cancelled */
#define EOWNERDEAD  142 /**< the last owner ended while it held it */
#endif

#ifndef EWOULDBLOCK
#define EWOULDBLOCK EAGAIN /**< would have to wait, in a context that cannot */
#endif

#ifdef CONFIG_ERRNO
#ifdef __cplusplus
extern "C" {
#endif
/** Internal: where the running thread's lies. Returns its place. Context: either. */
int *k_errno_(void);
#ifdef __cplusplus
}
#endif

/**
 * The running thread's own error number: 0 when it is created; what C's library here calls sets
 * none.
 */
#define errno (*k_errno_())
#endif

#endif /* FOLIOT_ERRNO_H */
