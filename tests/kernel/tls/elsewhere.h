/* SPDX-License-Identifier: Apache-2.0 */
/* A thread-local variable that another file defines. */
#ifndef TESTS_TLS_ELSEWHERE_H
#define TESTS_TLS_ELSEWHERE_H

extern _Thread_local int elsewhere; /* 7 in a new thread */

#endif /* TESTS_TLS_ELSEWHERE_H */
