/* Stands between a process and its disk and clock: records what is written and synced under a folder, and makes reads, writes
   and syncs fail or take long, as the numbers in a file say that another process writes. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

struct control { int32_t write_error, read_error, sync_error, sync_delay, clock_offset, read_only; };
static volatile struct control *control;
static int trace = -1;
static const char *root;
static uint64_t next_sync = 1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define REAL(type, name, ...) static type (*real)(__VA_ARGS__); if (!real) real = dlsym(RTLD_NEXT, name)

__attribute__((constructor)) static void begin(void) {
  root = getenv("FAULTS_ROOT");
  const char *file = getenv("FAULTS_CONTROL");
  if (file) {
    int fd = open(file, O_RDWR);
    if (fd >= 0) {
      void *at = mmap(0, sizeof(struct control), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
      if (at != MAP_FAILED) control = at;
    }
  }
  const char *to = getenv("FAULTS_TRACE");
  if (to) trace = open(to, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static int path_of(int fd, char *path, size_t size) {
  char link[32];
  if (!root) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, size - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  if (strncmp(path, root, strlen(root)) != 0) return 0;
  return strstr(path, ".db") != NULL && strstr(path, "-shm") == NULL;
}

/* Files of databases that may be read only: SQLite opens them with open or open64. */
int open64(const char *path, int flags, ...) {
  REAL(int, "open64", const char *, int, ...);
  va_list rest;
  va_start(rest, flags);
  mode_t mode = (flags & O_CREAT) ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  int writes = (flags & O_ACCMODE) != O_RDONLY || (flags & O_CREAT);
  if (control && control->read_only && writes && root && strncmp(path, root, strlen(root)) == 0 && strstr(path, ".db")) {
    errno = EROFS;
    return -1;
  }
  return real(path, flags, mode);
}

static void record(char op, const char *path, uint64_t offset, const void *data, uint32_t length) {
  if (trace < 0) return;
  uint16_t named = (uint16_t)strlen(path);
  struct iovec parts[] = {{&op, 1}, {&named, 2}, {&offset, 8}, {&length, 4}, {(void *)path, named}, {(void *)data, data ? length : 0}};
  pthread_mutex_lock(&lock);
  ssize_t done = writev(trace, parts, 6);
  (void)done;
  pthread_mutex_unlock(&lock);
}

ssize_t pwrite64(int fd, const void *data, size_t length, off64_t offset) {
  REAL(ssize_t, "pwrite64", int, const void *, size_t, off64_t);
  char path[4096];
  if (!path_of(fd, path, sizeof path)) return real(fd, data, length, offset);
  if (control && control->write_error) { errno = control->write_error; return -1; }
  ssize_t written = real(fd, data, length, offset);
  if (written > 0) record('W', path, (uint64_t)offset, data, (uint32_t)written);
  return written;
}
ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) { return pwrite64(fd, data, length, offset); }

ssize_t pread64(int fd, void *data, size_t length, off64_t offset) {
  REAL(ssize_t, "pread64", int, void *, size_t, off64_t);
  char path[4096];
  if (control && control->read_error && path_of(fd, path, sizeof path)) { errno = control->read_error; return -1; }
  return real(fd, data, length, offset);
}
ssize_t pread(int fd, void *data, size_t length, off_t offset) { return pread64(fd, data, length, offset); }

int ftruncate64(int fd, off64_t length) {
  REAL(int, "ftruncate64", int, off64_t);
  char path[4096];
  int is_ours = path_of(fd, path, sizeof path);
  int done = real(fd, length);
  if (is_ours && done == 0) record('T', path, (uint64_t)length, NULL, 0);
  return done;
}
int ftruncate(int fd, off_t length) { return ftruncate64(fd, length); }

static int synced(int fd, int (*real)(int)) {
  char path[4096];
  if (!path_of(fd, path, sizeof path)) return real(fd);
  uint64_t number = __atomic_fetch_add(&next_sync, 1, __ATOMIC_SEQ_CST);
  record('B', path, number, NULL, 0);
  if (control && control->sync_delay > 0) usleep((useconds_t)control->sync_delay * 1000);
  if (control && control->sync_error) { errno = control->sync_error; return -1; }
  int done = real(fd);
  if (done == 0) record('S', path, number, NULL, 0);
  return done;
}
int fsync(int fd) { REAL(int, "fsync", int); return synced(fd, real); }
int fdatasync(int fd) { REAL(int, "fdatasync", int); return synced(fd, real); }

int unlink(const char *path) {
  REAL(int, "unlink", const char *);
  int done = real(path);
  if (done == 0 && root && strncmp(path, root, strlen(root)) == 0) record('U', path, 0, NULL, 0);
  return done;
}

int clock_gettime(clockid_t id, struct timespec *now) {
  REAL(int, "clock_gettime", clockid_t, struct timespec *);
  int done = real(id, now);
  if (done == 0 && control && id == CLOCK_REALTIME) now->tv_sec += control->clock_offset;
  return done;
}
int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  REAL(int, "gettimeofday", struct timeval *, void *);
  int done = real(now, zone);
  if (done == 0 && control) now->tv_sec += control->clock_offset;
  return done;
}

int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = (flags & O_CREAT) ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return open64(path, flags, mode);
}
