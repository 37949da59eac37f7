/* SPDX-License-Identifier: Apache-2.0 */
/* The fake machine's exceptions: the process's signals. */
#ifndef FOLIOT_ARCH_HOST_FAULTS_H
#define FOLIOT_ARCH_HOST_FAULTS_H

/* From now on a fault of the process is a fault of the machine. At boot. */
void faults_catch(void);

#endif /* FOLIOT_ARCH_HOST_FAULTS_H */
