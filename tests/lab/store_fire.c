/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Between a process and its disk (LD_PRELOAD): the n-th call that changes a file below a directory
 * is the last one of the process, has written half of what it was to, or finds the disk full, as
 * all that follow do.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum { COUNT, KILL, KILL_HALF, FULL };

static struct {
	char below[512];
	long left;
	long count;
	int how;
} fire;

/* `below`: an absolute path; calls before the `nth` (from 1) go through. */
void fire_arm(const char *below, long nth, int how)
{
	snprintf(fire.below, sizeof(fire.below), "%s", below);
	fire.left = nth;
	fire.count = 0;
	fire.how = how;
}

long fire_count(void)
{
	return fire.count;
}

static int is_below(const char *path)
{
	return fire.below[0] != '\0' && strncmp(path, fire.below, strlen(fire.below)) == 0;
}

static int is_file_below(int fd)
{
	char link[64], path[512];
	ssize_t length;

	if (fire.below[0] == '\0') {
		return 0;
	}
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	length = readlink(link, path, sizeof(path) - 1);
	path[length < 0 ? 0 : length] = '\0';
	return is_below(path);
}

/* Is the disk full for this call? It is not, or is not one of the last, and it may be made. */
static int is_refused(int may_be_half)
{
	fire.count++;
	if (fire.how == COUNT || --fire.left > 0) {
		return 0;
	}
	if (fire.how == KILL || (fire.how == KILL_HALF && !may_be_half)) {
		kill(getpid(), SIGKILL);
	}
	return 1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* Half a write, and the end; or none. */
#define WRITE(fd, bytes, call)                    \
	if (is_file_below(fd) && is_refused(1)) { \
		if (fire.how == KILL_HALF) {      \
			bytes /= 2;               \
			(void)call;               \
			kill(getpid(), SIGKILL);  \
		}                                 \
		errno = ENOSPC;                   \
		return -1;                        \
	}                                         \
	return call

#define CHANGE(is_here, call)             \
	if ((is_here) && is_refused(0)) { \
		errno = ENOSPC;           \
		return -1;                \
	}                                 \
	return call

ssize_t write(int fd, const void *data, size_t bytes)
{
	WRITE(fd, bytes, REAL(write)(fd, data, bytes));
}

ssize_t pwrite(int fd, const void *data, size_t bytes, off_t at)
{
	WRITE(fd, bytes, REAL(pwrite)(fd, data, bytes, at));
}

ssize_t pwrite64(int fd, const void *data, size_t bytes, off64_t at)
{
	WRITE(fd, bytes, REAL(pwrite64)(fd, data, bytes, at));
}

int fsync(int fd)
{
	CHANGE(is_file_below(fd), REAL(fsync)(fd));
}

int fdatasync(int fd)
{
	CHANGE(is_file_below(fd), REAL(fdatasync)(fd));
}

int ftruncate64(int fd, off64_t size)
{
	CHANGE(is_file_below(fd), REAL(ftruncate64)(fd, size));
}

int rename(const char *from, const char *to)
{
	CHANGE(is_below(from), REAL(rename)(from, to));
}

int mkdir(const char *path, mode_t mode)
{
	CHANGE(is_below(path), REAL(mkdir)(path, mode));
}

/* What is taken away needs no room. */
int unlink(const char *path)
{
	if (is_below(path) && fire.how != FULL) {
		(void)is_refused(0);
	}
	return REAL(unlink)(path);
}
