/* A library to be preloaded: makes one system call or allocation of a process fail, or lets the
 * process die there.
 *
 * GRUNDY_FAULT=OP:N:ACTION[:sticky] acts at the N-th call of OP:
 *   OP      write, fsync, rename, open, malloc (not by HDF5), hdf5-malloc (by HDF5), or file (the
 *           first three counted together)
 *   ACTION  crash (the process ends before the call), torn (half of a write is done first; other
 *           calls are done in full), or a number: the call fails with that errno
 *   sticky  all later calls of OP fail as well
 * Only files of a run or a table are counted: paths with ".run" or ".h5" in them; allocations from
 * the first such file on.
 * GRUNDY_FAULT_COUNT=FILE: the number of calls of OP is written there when the process ends.
 *
 * SPDX-License-Identifier: MIT
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum op { kWrite = 1, kFsync = 2, kRename = 4, kOpen = 8, kMalloc = 16, kHdf5Malloc = 32 };
enum action { kPass, kFail, kCrash, kTorn };

static unsigned watched;
static unsigned long target;
static enum action what;
static int error_number;
static int sticky;
static atomic_ulong seen;
static atomic_int at_work;
static uintptr_t hdf5_begin, hdf5_end; /* where the library lies in memory */

extern void* __libc_malloc(size_t);
extern void* __libc_calloc(size_t, size_t);
extern void* __libc_realloc(void*, size_t);

static unsigned op_named(const char* name, size_t size) {
  static const struct {
    const char* name;
    unsigned ops;
  } ops[] = {{"write", kWrite},
             {"fsync", kFsync},
             {"rename", kRename},
             {"open", kOpen},
             {"malloc", kMalloc},
             {"hdf5-malloc", kHdf5Malloc},
             {"file", kWrite | kFsync | kRename}};
  for (size_t i = 0; i < sizeof ops / sizeof *ops; ++i) {
    if (strlen(ops[i].name) == size && strncmp(name, ops[i].name, size) == 0) return ops[i].ops;
  }
  return 0;
}

static int find_hdf5(struct dl_phdr_info* info, size_t size, void* data) {
  (void)size;
  (void)data;
  if (info->dlpi_name == NULL || strstr(info->dlpi_name, "libhdf5_serial.so") == NULL) return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)* part = &info->dlpi_phdr[i];
    if (part->p_type != PT_LOAD || (part->p_flags & PF_X) == 0) continue;
    hdf5_begin = info->dlpi_addr + part->p_vaddr;
    hdf5_end = hdf5_begin + part->p_memsz;
  }
  return 1;
}

__attribute__((constructor)) static void read_fault(void) {
  const char* text = getenv("GRUNDY_FAULT");
  if (text == NULL) return;
  const char* colon = strchr(text, ':');
  if (colon == NULL) return;
  char* rest = NULL;
  target = strtoul(colon + 1, &rest, 10);
  if (rest == NULL || *rest != ':') return;
  ++rest;
  if (strncmp(rest, "crash", 5) == 0) {
    what = kCrash;
  } else if (strncmp(rest, "torn", 4) == 0) {
    what = kTorn;
  } else {
    what = kFail;
    error_number = atoi(rest);
  }
  sticky = strstr(rest, ":sticky") != NULL;
  dl_iterate_phdr(find_hdf5, NULL);
  watched = op_named(text, (size_t)(colon - text));
}

__attribute__((destructor)) static void write_count(void) {
  const char* path = getenv("GRUNDY_FAULT_COUNT");
  if (path == NULL) return;
  watched = 0;
  FILE* out = fopen(path, "w");
  if (out == NULL) return;
  fprintf(out, "%lu\n", atomic_load(&seen));
  fclose(out);
}

/* Whether this thread loads a library, as oneTBB does: the loader of glibc 2.36 does not survive
   that memory is missing for its own message, so nothing fails there. */
static _Thread_local int loading;

static enum action next(enum op op) {
  if ((watched & op) == 0 || loading != 0) return kPass;
  const unsigned long now = atomic_fetch_add(&seen, 1) + 1;
  return now == target || (sticky && now > target) ? what : kPass;
}

static int is_ours(const char* path) {
  const int ours = path != NULL && (strstr(path, ".run") != NULL || strstr(path, ".h5") != NULL);
  if (ours) atomic_store(&at_work, 1);
  return ours;
}

static int is_our_file(int fd) {
  if (watched == 0 || fd < 0) return 0;
  char link[64];
  char path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t size = readlink(link, path, sizeof path - 1);
  if (size < 0) return 0;
  path[size] = '\0';
  return is_ours(path);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

void* dlopen(const char* file, int mode) {
  ++loading;
  void* const library = REAL(dlopen)(file, mode);
  --loading;
  return library;
}

/* Returns from the calling function if the call is to fail; `half` is done by a torn crash. */
#define MEET(op, half)      \
  switch (next(op)) {       \
    case kPass:             \
      break;                \
    case kFail:             \
      errno = error_number; \
      return -1;            \
    case kTorn:             \
      (void)!(half);        \
      _exit(99);            \
    case kCrash:            \
      _exit(99);            \
  }

ssize_t write(int fd, const void* data, size_t size) {
  if (is_our_file(fd)) MEET(kWrite, REAL(write)(fd, data, size / 2));
  return REAL(write)(fd, data, size);
}

ssize_t pwrite(int fd, const void* data, size_t size, off_t offset) {
  if (is_our_file(fd)) MEET(kWrite, REAL(pwrite)(fd, data, size / 2, offset));
  return REAL(pwrite)(fd, data, size, offset);
}

ssize_t pwrite64(int fd, const void* data, size_t size, off64_t offset) {
  if (is_our_file(fd)) MEET(kWrite, REAL(pwrite64)(fd, data, size / 2, offset));
  return REAL(pwrite64)(fd, data, size, offset);
}

int fsync(int fd) {
  if (is_our_file(fd)) MEET(kFsync, REAL(fsync)(fd));
  return REAL(fsync)(fd);
}

int rename(const char* from, const char* to) {
  if (is_ours(to)) MEET(kRename, REAL(rename)(from, to));
  return REAL(rename)(from, to);
}

int renameat2(int from_dir, const char* from, int to_dir, const char* to, unsigned flags) {
  if (is_ours(to)) MEET(kRename, REAL(renameat2)(from_dir, from, to_dir, to, flags));
  return REAL(renameat2)(from_dir, from, to_dir, to, flags);
}

static mode_t mode_of(int flags, va_list arguments) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
}

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  if (is_ours(path)) MEET(kOpen, REAL(open)(path, flags, mode));
  return REAL(open)(path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  if (is_ours(path)) MEET(kOpen, REAL(open64)(path, flags, mode));
  return REAL(open64)(path, flags, mode);
}

/* Whether the allocation for the code at `caller` fails, whatever the action says. */
static int no_memory(const void* caller) {
  if (!atomic_load(&at_work)) return 0;
  const int by_hdf5 = (uintptr_t)caller >= hdf5_begin && (uintptr_t)caller < hdf5_end;
  if (next(by_hdf5 ? kHdf5Malloc : kMalloc) == kPass) return 0;
  errno = ENOMEM;
  return 1;
}

void* malloc(size_t size) {
  return no_memory(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

/* Of the C library, but for its caller. */
char* strdup(const char* text) {
  if (no_memory(__builtin_return_address(0))) return NULL;
  const size_t size = strlen(text) + 1;
  char* copy = __libc_malloc(size);
  return copy == NULL ? NULL : memcpy(copy, text, size);
}

void* calloc(size_t count, size_t size) {
  return no_memory(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void* realloc(void* old, size_t size) {
  return no_memory(__builtin_return_address(0)) ? NULL : __libc_realloc(old, size);
}
