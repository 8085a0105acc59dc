/*
 * Calls of the C library that fail on demand, below a real instance (LD_PRELOAD). The file named by FAULT_PLAN holds one
 * line: the call, the errno, the number of calls that fail (-1: all), and a part of the path; `none` fails nothing. The
 * errno -1 writes the first half of the bytes. The plan is mapped, so that the test changes it while the instance runs,
 * and the library counts its failures in the second half of the file.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#define PLAN_SIZE 4096
#define COUNTER (PLAN_SIZE / 2)
#define SHORT (-1)

static char *plan;

__attribute__((constructor)) static void map_plan(void) {
    const char *path = getenv("FAULT_PLAN");
    int file = path == NULL ? -1 : open(path, O_RDWR | O_CLOEXEC);
    if (file < 0) return;
    void *mapped = mmap(NULL, PLAN_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (mapped != MAP_FAILED) plan = mapped;
}

/* The errno with which this call fails; 0: it does not. */
static int fault_of(const char *call, const char *path) {
    char planned[32], part[256];
    int error, count;
    if (plan == NULL || plan[0] == 'n') return 0;
    if (sscanf(plan, "%31s %d %d %255s", planned, &error, &count, part) != 4) return 0;
    if (strcmp(planned, call) != 0 || strstr(path, part) == NULL) return 0;
    int *failed = (int *)(plan + COUNTER);
    int before = __atomic_fetch_add(failed, 1, __ATOMIC_SEQ_CST);
    return count < 0 || before < count ? error : 0;
}

static int fault_of_file(const char *call, int file) {
    char link[64], path[4096];
    if (plan == NULL || plan[0] == 'n') return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return fault_of(call, path);
}

#define REAL(type, name, ...) \
    static type (*real)(__VA_ARGS__); \
    if (real == NULL) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)
#define FAIL(error) do { errno = (error); return -1; } while (0)

ssize_t write(int file, const void *bytes, size_t size) {
    REAL(ssize_t, "write", int, const void *, size_t);
    int error = fault_of_file("write", file);
    if (error > 0) FAIL(error);
    return real(file, bytes, error == SHORT && size > 1 ? size / 2 : size);
}

#define PWRITE(name) \
    ssize_t name(int file, const void *bytes, size_t size, off_t at) { \
        REAL(ssize_t, #name, int, const void *, size_t, off_t); \
        int error = fault_of_file("write", file); \
        if (error > 0) FAIL(error); \
        return real(file, bytes, error == SHORT && size > 1 ? size / 2 : size, at); \
    }
PWRITE(pwrite)
PWRITE(pwrite64)

ssize_t writev(int file, const struct iovec *parts, int count) {
    REAL(ssize_t, "writev", int, const struct iovec *, int);
    int error = fault_of_file("write", file);
    if (error > 0) FAIL(error);
    return real(file, parts, error == SHORT && count > 1 ? count / 2 : count);
}

#define PWRITEV(name) \
    ssize_t name(int file, const struct iovec *parts, int count, off_t at) { \
        REAL(ssize_t, #name, int, const struct iovec *, int, off_t); \
        int error = fault_of_file("write", file); \
        if (error > 0) FAIL(error); \
        return real(file, parts, error == SHORT && count > 1 ? count / 2 : count, at); \
    }
PWRITEV(pwritev)
PWRITEV(pwritev64)

#define FLUSH(name) \
    int name(int file) { \
        REAL(int, #name, int); \
        int error = fault_of_file("flush", file); \
        if (error > 0) FAIL(error); \
        return real(file); \
    }
FLUSH(fsync)
FLUSH(fdatasync)

#define TWO_PATHS(name) \
    int name(const char *from, const char *to) { \
        REAL(int, #name, const char *, const char *); \
        int error = fault_of(#name, to); \
        if (error > 0) FAIL(error); \
        return real(from, to); \
    }
TWO_PATHS(rename)
TWO_PATHS(link)

int unlink(const char *path) {
    REAL(int, "unlink", const char *);
    int error = fault_of("unlink", path);
    if (error > 0) FAIL(error);
    return real(path);
}

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        REAL(int, #name, const char *, int, ...); \
        va_list more; \
        va_start(more, flags); \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0; \
        va_end(more); \
        int error = fault_of("open", path); \
        if (error > 0) FAIL(error); \
        return real(path, flags, mode); \
    }
OPEN(open)
OPEN(open64)
