// Preloaded into leto, this makes the n-th call of one kind fail, once. LETO_FAULT=kind:n says
// which; LETO_FAULT_COUNT=FILE has the calls of each kind counted and written there at the end.
// Only leto itself is disturbed, not the solvers that it starts.
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <atomic>

extern "C" void* __libc_malloc(size_t);
extern "C" void* __libc_calloc(size_t, size_t);
extern "C" void* __libc_realloc(void*, size_t);

namespace {

enum Kind {
  kOpen,
  kRead,
  kShortRead,
  kReadAgain,
  kWrite,
  kShortWrite,
  kWriteAgain,
  kSync,
  kRename,
  kFork,
  kPipe,
  kMap,
  kThread,
  kAllocate,
  kStat,
  kClose,
  kKinds
};
constexpr const char* kNames[kKinds] = {
    "open",   "read", "short-read", "read-eintr", "write",  "short-write", "write-eintr", "fsync",
    "rename", "fork", "pipe",       "mmap",       "thread", "malloc",      "stat",        "close"};

std::atomic<long> g_count[kKinds];
std::atomic<bool> g_ready{false};
bool g_wanted = false;
int g_kind = -1;
long g_number = 0;
char g_count_file[512];

template <typename F>
F real(const char* name) {
  return reinterpret_cast<F>(dlsym(RTLD_NEXT, name));
}

// Counts a call, and says whether it is the one that fails.
bool fails(Kind kind) {
  if (!g_ready.load(std::memory_order_relaxed)) return false;
  return ++g_count[kind] == g_number && kind == g_kind;
}

int fail(int error) {
  errno = error;
  return -1;
}

void write_counts() {
  char text[1024];
  int size = 0;
  for (int k = 0; k < kKinds; ++k)
    size += snprintf(text + size, sizeof text - static_cast<size_t>(size), "%s %ld\n", kNames[k],
                     g_count[k].load());
  g_ready = false;
  const int file = real<int (*)(const char*, int, ...)>("open")(g_count_file,
                                                                O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0) return;
  (void)!real<ssize_t (*)(int, const void*, size_t)>("write")(file, text,
                                                              static_cast<size_t>(size));
  real<int (*)(int)>("close")(file);
}

__attribute__((constructor)) void start() {
  if (strcmp(program_invocation_short_name, "leto") != 0) return;
  if (const char* wanted = getenv("LETO_FAULT")) {
    for (int k = 0; k < kKinds; ++k) {
      const size_t length = strlen(kNames[k]);
      if (strncmp(wanted, kNames[k], length) == 0 && wanted[length] == ':') {
        g_kind = k;
        g_number = atol(wanted + length + 1);
      }
    }
  }
  if (const char* file = getenv("LETO_FAULT_COUNT")) {
    snprintf(g_count_file, sizeof g_count_file, "%s", file);
    atexit(write_counts);
  }
  g_wanted = true;
}

int (*g_main)(int, char**, char**) = nullptr;
int count_from_here(int argc, char** argv, char** environment) {
  g_ready = g_wanted;
  return g_main(argc, argv, environment);
}

}  // namespace

extern "C" {

// What happens before `main` is the loader's, and nobody could catch it.
int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(),
                      void (*fini)(), void (*loader_fini)(), void* stack_end) {
  using Start =
      int (*)(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(), void (*)(), void*);
  g_main = main;
  return real<Start>("__libc_start_main")(count_from_here, argc, argv, init, fini, loader_fini,
                                          stack_end);
}

int open(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = va_arg(list, mode_t);
  va_end(list);
  if (fails(kOpen)) return fail(EMFILE);
  return real<int (*)(const char*, int, ...)>("open")(path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = va_arg(list, mode_t);
  va_end(list);
  if (fails(kOpen)) return fail(EMFILE);
  return real<int (*)(const char*, int, ...)>("open64")(path, flags, mode);
}
int openat(int at, const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = va_arg(list, mode_t);
  va_end(list);
  if (fails(kOpen)) return fail(EMFILE);
  return real<int (*)(int, const char*, int, ...)>("openat")(at, path, flags, mode);
}

ssize_t read(int file, void* to, size_t size) {
  if (fails(kRead)) return fail(EIO);
  if (fails(kReadAgain)) return fail(EINTR);
  if (fails(kShortRead) && size > 1) size = 1;
  return real<ssize_t (*)(int, void*, size_t)>("read")(file, to, size);
}
ssize_t pread(int file, void* to, size_t size, off_t at) {
  if (fails(kRead)) return fail(EIO);
  if (fails(kReadAgain)) return fail(EINTR);
  if (fails(kShortRead) && size > 1) size = 1;
  return real<ssize_t (*)(int, void*, size_t, off_t)>("pread")(file, to, size, at);
}
ssize_t pread64(int file, void* to, size_t size, off_t at) {
  return pread(file, to, size, at);
}
ssize_t write(int file, const void* from, size_t size) {
  if (fails(kWrite)) return fail(ENOSPC);
  if (fails(kWriteAgain)) return fail(EINTR);
  if (fails(kShortWrite) && size > 1) size = 1;
  return real<ssize_t (*)(int, const void*, size_t)>("write")(file, from, size);
}
ssize_t pwrite(int file, const void* from, size_t size, off_t at) {
  if (fails(kWrite)) return fail(ENOSPC);
  if (fails(kWriteAgain)) return fail(EINTR);
  if (fails(kShortWrite) && size > 1) size = 1;
  return real<ssize_t (*)(int, const void*, size_t, off_t)>("pwrite")(file, from, size, at);
}
ssize_t pwrite64(int file, const void* from, size_t size, off_t at) {
  return pwrite(file, from, size, at);
}
ssize_t writev(int file, const struct iovec* parts, int count) {
  if (fails(kWrite)) return fail(ENOSPC);
  if (fails(kWriteAgain)) return fail(EINTR);
  return real<ssize_t (*)(int, const struct iovec*, int)>("writev")(file, parts, count);
}
ssize_t send(int socket, const void* from, size_t size, int flags) {
  if (fails(kWrite)) return fail(ECONNRESET);
  if (fails(kWriteAgain)) return fail(EINTR);
  if (fails(kShortWrite) && size > 1) size = 1;
  return real<ssize_t (*)(int, const void*, size_t, int)>("send")(socket, from, size, flags);
}

int fsync(int file) {
  return fails(kSync) ? fail(EIO) : real<int (*)(int)>("fsync")(file);
}
int fdatasync(int file) {
  return fails(kSync) ? fail(EIO) : real<int (*)(int)>("fdatasync")(file);
}
int rename(const char* from, const char* to) {
  return fails(kRename) ? fail(EACCES)
                        : real<int (*)(const char*, const char*)>("rename")(from, to);
}
int renameat(int from_at, const char* from, int to_at, const char* to) {
  if (fails(kRename)) return fail(EACCES);
  return real<int (*)(int, const char*, int, const char*)>("renameat")(from_at, from, to_at, to);
}
int link(const char* from, const char* to) {
  return fails(kRename) ? fail(EACCES) : real<int (*)(const char*, const char*)>("link")(from, to);
}

pid_t fork() {
  return fails(kFork) ? fail(EAGAIN) : real<pid_t (*)()>("fork")();
}
int pipe2(int* ends, int flags) {
  return fails(kPipe) ? fail(EMFILE) : real<int (*)(int*, int)>("pipe2")(ends, flags);
}
int socketpair(int domain, int type, int protocol, int* ends) {
  if (fails(kPipe)) return fail(EMFILE);
  return real<int (*)(int, int, int, int*)>("socketpair")(domain, type, protocol, ends);
}
void* mmap(void* at, size_t size, int protection, int flags, int file, off_t offset) {
  if (fails(kMap)) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return real<void* (*)(void*, size_t, int, int, int, off_t)>("mmap")(at, size, protection, flags,
                                                                      file, offset);
}
void* mmap64(void* at, size_t size, int protection, int flags, int file, off_t offset) {
  return mmap(at, size, protection, flags, file, offset);
}
int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*body)(void*),
                   void* argument) {
  if (fails(kThread)) return EAGAIN;
  return real<int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>(
      "pthread_create")(thread, attributes, body, argument);
}
int fstat(int file, struct stat* to) {
  return fails(kStat) ? fail(EIO) : real<int (*)(int, struct stat*)>("fstat")(file, to);
}
int stat(const char* path, struct stat* to) {
  return fails(kStat) ? fail(EIO) : real<int (*)(const char*, struct stat*)>("stat")(path, to);
}
int lstat(const char* path, struct stat* to) {
  return fails(kStat) ? fail(EIO) : real<int (*)(const char*, struct stat*)>("lstat")(path, to);
}
int close(int file) {
  const bool bad = fails(kClose);
  const int result = real<int (*)(int)>("close")(file);
  return bad ? fail(EIO) : result;
}

void* malloc(size_t size) {
  if (fails(kAllocate)) {
    errno = ENOMEM;
    return nullptr;
  }
  return __libc_malloc(size);
}
void* calloc(size_t count, size_t size) {
  if (fails(kAllocate)) {
    errno = ENOMEM;
    return nullptr;
  }
  return __libc_calloc(count, size);
}
void* realloc(void* old, size_t size) {
  if (fails(kAllocate)) {
    errno = ENOMEM;
    return nullptr;
  }
  return __libc_realloc(old, size);
}

}  // extern "C"
