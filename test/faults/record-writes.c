/*
 * Records what a real instance asks of its disk (LD_PRELOAD), so that `power-loss.ts` can rebuild what a disk may hold
 * after a loss of power. RECORD_FILE names the record, RECORD_ROOT the folder whose files count, without links. Each
 * entry is a `struct entry` in the byte order of the machine, then the path, the other path and the data. Calls that
 * change something are recorded in the order in which they happen, because they take turns; flushes do not take turns,
 * and have an entry before and after the call. Writes through mapped memory are not seen: SQLite maps only its `-shm`.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { CREATE = 1, FOLDER, WRITE, LENGTH, FLUSH, FLUSHED, RENAME, LINK, REMOVE };

struct entry {
    uint32_t kind, path, other, data;
    uint64_t inode;
    int64_t at;
};

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static int record = -1;
static const char *root;
static int64_t flushes;

__attribute__((constructor)) static void open_record(void) {
    const char *path = getenv("RECORD_FILE");
    root = getenv("RECORD_ROOT");
    if (path != NULL && root != NULL) record = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
}

#define REAL(type, name, ...) \
    static type (*real)(__VA_ARGS__); \
    if (real == NULL) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

static void append(struct entry entry, const char *path, const char *other, const void *data) {
    REAL(ssize_t, "writev", int, const struct iovec *, int);
    entry.path = strlen(path);
    entry.other = strlen(other);
    struct iovec parts[] = {
        {&entry, sizeof entry}, {(void *)path, entry.path}, {(void *)other, entry.other}, {(void *)data, entry.data}};
    ssize_t wanted = sizeof entry + entry.path + entry.other + entry.data;
    // A record that lacks an entry proves nothing.
    if (real(record, parts, 4) != wanted) abort();
}

/* The path without links; its last name need not exist. Empty: outside of the root. */
static void resolve(int folder, const char *path, char *found) {
    char whole[PATH_MAX], parent[PATH_MAX];
    found[0] = 0;
    if (record < 0) return;
    if (path[0] == '/') snprintf(whole, sizeof whole, "%s", path);
    else if (folder == AT_FDCWD) snprintf(whole, sizeof whole, "./%s", path);
    else snprintf(whole, sizeof whole, "/proc/self/fd/%d/%s", folder, path);
    for (size_t end = strlen(whole); end > 1 && whole[end - 1] == '/';) whole[--end] = 0;
    char *name = strrchr(whole, '/');
    *name = 0;
    if (realpath(whole[0] == 0 ? "/" : whole, parent) == NULL) return;
    if (strncmp(parent, root, strlen(root)) != 0) return;
    if (strlen(parent) + strlen(name + 1) + 2 > PATH_MAX) return;
    sprintf(found, "%s/%s", parent, name + 1);
}

/* The inode of an open file below the root; 0: it is another file. */
static uint64_t inode_of(int file) {
    char link[64], path[PATH_MAX];
    struct stat about;
    if (record < 0 || file == record) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return strncmp(path, root, strlen(root)) == 0 && fstat(file, &about) == 0 ? about.st_ino : 0;
}

/* Runs the call, and records it when it has changed something. */
#define IN_TURN(type, call, ...) \
    pthread_mutex_lock(&turn); \
    type result = call; \
    int error = errno; \
    if (result >= 0) { __VA_ARGS__; } \
    pthread_mutex_unlock(&turn); \
    errno = error; \
    return result

static void wrote(uint64_t inode, off_t at, const void *bytes, ssize_t size) {
    append((struct entry){.kind = WRITE, .inode = inode, .at = at, .data = size}, "", "", bytes);
}

static void wrote_parts(uint64_t inode, off_t at, const struct iovec *parts, ssize_t size) {
    for (int index = 0; size > 0; index++) {
        ssize_t here = (ssize_t)parts[index].iov_len < size ? (ssize_t)parts[index].iov_len : size;
        wrote(inode, at, parts[index].iov_base, here);
        at += here;
        size -= here;
    }
}

ssize_t write(int file, const void *bytes, size_t size) {
    REAL(ssize_t, "write", int, const void *, size_t);
    uint64_t inode = inode_of(file);
    if (inode == 0) return real(file, bytes, size);
    IN_TURN(ssize_t, real(file, bytes, size), wrote(inode, lseek(file, 0, SEEK_CUR) - result, bytes, result));
}

ssize_t writev(int file, const struct iovec *parts, int count) {
    REAL(ssize_t, "writev", int, const struct iovec *, int);
    uint64_t inode = inode_of(file);
    if (inode == 0) return real(file, parts, count);
    IN_TURN(ssize_t, real(file, parts, count), wrote_parts(inode, lseek(file, 0, SEEK_CUR) - result, parts, result));
}

#define PWRITE(name, offset) \
    ssize_t name(int file, const void *bytes, size_t size, offset at) { \
        REAL(ssize_t, #name, int, const void *, size_t, offset); \
        uint64_t inode = inode_of(file); \
        if (inode == 0) return real(file, bytes, size, at); \
        IN_TURN(ssize_t, real(file, bytes, size, at), wrote(inode, at, bytes, result)); \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

#define PWRITEV(name, offset) \
    ssize_t name(int file, const struct iovec *parts, int count, offset at) { \
        REAL(ssize_t, #name, int, const struct iovec *, int, offset); \
        uint64_t inode = inode_of(file); \
        if (inode == 0) return real(file, parts, count, at); \
        IN_TURN(ssize_t, real(file, parts, count, at), wrote_parts(inode, at, parts, result)); \
    }
PWRITEV(pwritev, off_t)
PWRITEV(pwritev64, off64_t)

#define FTRUNCATE(name, offset) \
    int name(int file, offset length) { \
        REAL(int, #name, int, offset); \
        uint64_t inode = inode_of(file); \
        if (inode == 0) return real(file, length); \
        IN_TURN(int, real(file, length), append((struct entry){.kind = LENGTH, .inode = inode, .at = length}, "", "", "")); \
    }
FTRUNCATE(ftruncate, off_t)
FTRUNCATE(ftruncate64, off64_t)

#define FLUSH_CALL(name) \
    int name(int file) { \
        REAL(int, #name, int); \
        uint64_t inode = inode_of(file); \
        if (inode == 0) return real(file); \
        int64_t number = __atomic_add_fetch(&flushes, 1, __ATOMIC_SEQ_CST); \
        append((struct entry){.kind = FLUSH, .inode = inode, .at = number}, "", "", ""); \
        int result = real(file), error = errno; \
        if (result == 0) append((struct entry){.kind = FLUSHED, .inode = inode, .at = number}, "", "", ""); \
        errno = error; \
        return result; \
    }
FLUSH_CALL(fsync)
FLUSH_CALL(fdatasync)

#define TWO_PATHS(name, what) \
    int name(const char *from, const char *to) { \
        REAL(int, #name, const char *, const char *); \
        char one[PATH_MAX], other[PATH_MAX]; \
        resolve(AT_FDCWD, from, one); \
        resolve(AT_FDCWD, to, other); \
        if (one[0] == 0 && other[0] == 0) return real(from, to); \
        IN_TURN(int, real(from, to), append((struct entry){.kind = what}, one, other, "")); \
    }
TWO_PATHS(rename, RENAME)
TWO_PATHS(link, LINK)

#define REMOVES(name) \
    int name(const char *path) { \
        REAL(int, #name, const char *); \
        char one[PATH_MAX]; \
        resolve(AT_FDCWD, path, one); \
        if (one[0] == 0) return real(path); \
        IN_TURN(int, real(path), append((struct entry){.kind = REMOVE}, one, "", "")); \
    }
REMOVES(unlink)
REMOVES(rmdir)
REMOVES(remove)

int unlinkat(int folder, const char *path, int flags) {
    REAL(int, "unlinkat", int, const char *, int);
    char one[PATH_MAX];
    resolve(folder, path, one);
    if (one[0] == 0) return real(folder, path, flags);
    IN_TURN(int, real(folder, path, flags), append((struct entry){.kind = REMOVE}, one, "", ""));
}

static void made(enum kind kind, const char *path) {
    struct stat about;
    if (lstat(path, &about) == 0) append((struct entry){.kind = kind, .inode = about.st_ino}, path, "", "");
}

int mkdir(const char *path, mode_t mode) {
    REAL(int, "mkdir", const char *, mode_t);
    char one[PATH_MAX];
    resolve(AT_FDCWD, path, one);
    if (one[0] == 0) return real(path, mode);
    IN_TURN(int, real(path, mode), made(FOLDER, one));
}

char *mkdtemp(char *path) {
    REAL(char *, "mkdtemp", char *);
    pthread_mutex_lock(&turn);
    char *result = real(path), one[PATH_MAX];
    int error = errno;
    if (result != NULL) {
        resolve(AT_FDCWD, result, one);
        if (one[0] != 0) made(FOLDER, one);
    }
    pthread_mutex_unlock(&turn);
    errno = error;
    return result;
}

static void opened(int file, const char *path, int existed, int flags) {
    if (!existed) made(CREATE, path);
    else if (flags & O_TRUNC) append((struct entry){.kind = LENGTH, .inode = inode_of(file)}, "", "", "");
}

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        REAL(int, #name, const char *, int, ...); \
        va_list more; \
        va_start(more, flags); \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0; \
        va_end(more); \
        char one[PATH_MAX]; \
        one[0] = 0; \
        if (flags & (O_CREAT | O_TRUNC)) resolve(AT_FDCWD, path, one); \
        if (one[0] == 0) return real(path, flags, mode); \
        struct stat about; \
        int existed; \
        IN_TURN(int, (existed = lstat(one, &about) == 0, real(path, flags, mode)), opened(result, one, existed, flags)); \
    }
OPEN(open)
OPEN(open64)
