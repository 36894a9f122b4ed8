// Makes one call of a kind fail, for tools/checks/system_calls.py: preloaded into a program, it
// lets the Nth call fail with an error, and with FAIL_ON all after it too.
//
// FAIL_CALL: the kind, as the words in the table below. FAIL_NTH: from 1. FAIL_ERROR: the number of
// the error. FAIL_MARK: a file that is made when a call has failed.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static const char *kind;
static long nth;
static int error_number;
static int goes_on;
static atomic_long count;

__attribute__((constructor)) static void begin(void) {
    const char *number = getenv("FAIL_NTH"), *error = getenv("FAIL_ERROR");
    if (number == NULL || error == NULL) return;
    nth = atol(number);
    error_number = atoi(error);
    goes_on = getenv("FAIL_ON") != NULL;
    kind = getenv("FAIL_CALL");
}

// Whether this call is to fail.
static int fails(const char *name) {
    if (kind == NULL || strcmp(kind, name) != 0) return 0;
    long number = atomic_fetch_add(&count, 1) + 1;
    if (number < nth || (number > nth && !goes_on)) return 0;
    const char *mark = getenv("FAIL_MARK");
    if (mark != NULL) {
        long file = syscall(SYS_openat, AT_FDCWD, mark, O_CREAT | O_WRONLY, 0600);
        if (file >= 0) syscall(SYS_close, file);
    }
    errno = error_number;
    return 1;
}

#define CALL(kind, result, name, parameters, arguments)                              \
    result name parameters {                                                         \
        static result(*real) parameters;                                             \
        if (real == NULL) real = (result(*) parameters)dlsym(RTLD_NEXT, #name);      \
        if (fails(kind)) return (result)-1;                                          \
        return real arguments;                                                       \
    }

// Rust's standard library starts a program over such a pair, and where reading from it fails, which
// no system does, it waits for the program to end.
static int is_of_a_start(int file) {
    int type = 0;
    socklen_t length = sizeof type;
    return syscall(SYS_getsockopt, file, SOL_SOCKET, SO_TYPE, &type, &length) == 0 && type == SOCK_SEQPACKET;
}

// Threads wake each other by such a file. It has no disk, and nothing fails there but a full count.
static int is_of_an_event(int file) {
    char path[32], name[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    long length = syscall(SYS_readlinkat, AT_FDCWD, path, name, sizeof name - 1);
    if (length < 0) return 0;
    name[length] = 0;
    return strcmp(name, "anon_inode:[eventfd]") == 0;
}

#define WRITING(name, parameters, arguments)                                         \
    ssize_t name parameters {                                                        \
        static ssize_t(*real) parameters;                                            \
        if (real == NULL) real = (ssize_t(*) parameters)dlsym(RTLD_NEXT, #name);     \
        if (!is_of_an_event(f) && fails("write")) return -1;                         \
        return real arguments;                                                       \
    }

#define RECEIVING(name, parameters, arguments)                                       \
    ssize_t name parameters {                                                        \
        static ssize_t(*real) parameters;                                            \
        if (real == NULL) real = (ssize_t(*) parameters)dlsym(RTLD_NEXT, #name);     \
        if (!is_of_a_start(f) && fails("receive")) return -1;                        \
        return real arguments;                                                       \
    }

// Those that return the error instead.
#define RETURNING(kind, name, parameters, arguments)                                 \
    int name parameters {                                                            \
        static int(*real) parameters;                                                \
        if (real == NULL) real = (int (*) parameters)dlsym(RTLD_NEXT, #name);        \
        if (fails(kind)) return error_number;                                        \
        return real arguments;                                                       \
    }

#define OPENING(name, leading, leading_arguments)                                    \
    int name(leading, const char *path, int flags, ...) {                            \
        va_list rest;                                                                \
        va_start(rest, flags);                                                       \
        mode_t mode = va_arg(rest, mode_t);                                          \
        va_end(rest);                                                                \
        if (fails("open")) return -1;                                                \
        return (int)syscall(SYS_openat, leading_arguments, path, flags, mode);       \
    }

WRITING(write, (int f, const void *b, size_t n), (f, b, n))
WRITING(writev, (int f, const struct iovec *v, int n), (f, v, n))
CALL("send", ssize_t, send, (int f, const void *b, size_t n, int o), (f, b, n, o))
CALL("send", ssize_t, sendmsg, (int f, const struct msghdr *m, int o), (f, m, o))
CALL("read", ssize_t, read, (int f, void *b, size_t n), (f, b, n))
CALL("read", ssize_t, readv, (int f, const struct iovec *v, int n), (f, v, n))
RECEIVING(recv, (int f, void *b, size_t n, int o), (f, b, n, o))
RECEIVING(recvmsg, (int f, struct msghdr *m, int o), (f, m, o))
OPENING(openat, int folder, folder)
OPENING(openat64, int folder, folder)
int open(const char *path, int flags, ...) __attribute__((alias("open_any")));
int open64(const char *path, int flags, ...) __attribute__((alias("open_any")));
int open_any(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = va_arg(rest, mode_t);
    va_end(rest);
    if (fails("open")) return -1;
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}
CALL("sync", int, fsync, (int f), (f))
CALL("sync", int, fdatasync, (int f), (f))
CALL("rename", int, rename, (const char *from, const char *to), (from, to))
CALL("remove", int, unlink, (const char *path), (path))
CALL("cut", int, ftruncate64, (int f, off64_t n), (f, n))
CALL("seek", off64_t, lseek64, (int f, off64_t n, int o), (f, n, o))
CALL("folder", int, mkdir, (const char *path, mode_t mode), (path, mode))
CALL("lock", int, flock, (int f, int o), (f, o))
CALL("stat", int, statx, (int d, const char *p, int f, unsigned m, struct statx *s), (d, p, f, m, s))
CALL("socket", int, socket, (int d, int t, int p), (d, t, p))
CALL("socket", int, socketpair, (int d, int t, int p, int v[2]), (d, t, p, v))
CALL("bind", int, bind, (int f, const struct sockaddr *a, socklen_t n), (f, a, n))
CALL("listen", int, listen, (int f, int n), (f, n))
CALL("accept", int, accept4, (int f, struct sockaddr *a, socklen_t *n, int o), (f, a, n, o))
CALL("connect", int, connect, (int f, const struct sockaddr *a, socklen_t n), (f, a, n))
CALL("option", int, setsockopt, (int f, int l, int o, const void *v, socklen_t n), (f, l, o, v, n))
CALL("option", int, getsockopt, (int f, int l, int o, void *v, socklen_t *n), (f, l, o, v, n))
CALL("shutdown", int, shutdown, (int f, int h), (f, h))
CALL("pipe", int, pipe2, (int f[2], int o), (f, o))
CALL("poll", int, poll, (struct pollfd *p, nfds_t n, int t), (p, n, t))
CALL("epoll", int, epoll_create1, (int o), (o))
CALL("epoll", int, epoll_ctl, (int e, int o, int f, struct epoll_event *v), (e, o, f, v))
CALL("epoll", int, eventfd, (unsigned n, int o), (n, o))
// Small ones are the standard library's, which cannot do without.
#define MAPPING(name, offset)                                                        \
    void *name(void *a, size_t n, int p, int f, int d, offset o) {                   \
        static void *(*real)(void *, size_t, int, int, int, offset);                 \
        if (real == NULL) real = (void *(*)(void *, size_t, int, int, int, offset))dlsym(RTLD_NEXT, #name); \
        if (n >= (1 << 19) && fails("memory")) return MAP_FAILED;                    \
        return real(a, n, p, f, d, o);                                               \
    }
MAPPING(mmap64, off64_t)
MAPPING(mmap, off_t)
RETURNING("thread", pthread_create,
          (pthread_t *t, const pthread_attr_t *a, void *(*r)(void *), void *d), (t, a, r, d))
RETURNING("spawn", posix_spawnp,
          (pid_t *p, const char *f, const posix_spawn_file_actions_t *a, const posix_spawnattr_t *s,
           char *const v[], char *const e[]), (p, f, a, s, v, e))
