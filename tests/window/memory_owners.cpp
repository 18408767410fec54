// A library for LD_PRELOAD that measures the heap memory of a program separately from that of its libraries: a software
// OpenGL driver allocates megabytes for compiled shaders. Allocations by libstdc++ count as the program's. Twice per
// second it writes "OWN ALL", both in KiB, to the file that MEMORY_FILE names. See soak_test.sh.
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <thread>

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);
}

namespace {

/// Header of each block.
struct Header {
  std::uint64_t magic;
  std::size_t size;
  void* block;  ///< from glibc
  std::uint64_t own;
};
constexpr std::uint64_t kMagic = 0x7065726963656e74;
constexpr std::size_t kRoom = sizeof(Header);
static_assert(kRoom == 32, "blocks keep their alignment");

struct Range {
  std::uintptr_t first = 0, last = 0;
};
// No objects with constructors: memory is allocated before any constructor runs.
constinit std::array<Range, 2> own_code;  // code of the program and of libstdc++
constinit std::atomic<std::int64_t> own_bytes{0}, all_bytes{0};

Header* header(void* memory) {
  return static_cast<Header*>(memory) - 1;
}

bool is_own(const void* caller) {
  const auto at = reinterpret_cast<std::uintptr_t>(caller);
  return std::any_of(own_code.begin(), own_code.end(),
                     [at](const Range& range) { return at >= range.first && at < range.last; });
}

void* take(std::size_t size, std::size_t alignment, const void* caller) {
  const std::size_t before = std::max(alignment, kRoom);
  if (size > SIZE_MAX / 2) return errno = ENOMEM, nullptr;
  void* block = before == kRoom ? __libc_malloc(size + before) : __libc_memalign(before, size + before);
  if (!block) return errno = ENOMEM, nullptr;
  void* memory = static_cast<char*>(block) + before;
  const bool own = is_own(caller);
  *header(memory) = {kMagic, size, block, own};
  all_bytes += static_cast<std::int64_t>(size);
  if (own) own_bytes += static_cast<std::int64_t>(size);
  return memory;
}

void give_back(void* memory) {
  if (!memory) return;
  Header& mine = *header(memory);
  if (mine.magic != kMagic) return __libc_free(memory);
  mine.magic = 0;
  all_bytes -= static_cast<std::int64_t>(mine.size);
  if (mine.own) own_bytes -= static_cast<std::int64_t>(mine.size);
  __libc_free(mine.block);
}

void* take_or_throw(std::size_t size, std::size_t alignment, const void* caller) {
  void* memory = take(size, alignment, caller);
  return memory ? memory : throw std::bad_alloc();
}

int note_code(dl_phdr_info* object, std::size_t, void*) {
  const bool program = own_code[0].last == 0, library = std::strstr(object->dlpi_name, "libstdc++");
  if (!program && !library) return 0;
  Range& range = own_code[program ? 0 : 1];
  range.first = UINTPTR_MAX;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const auto& part = object->dlpi_phdr[i];
    if (part.p_type != PT_LOAD) continue;
    range.first = std::min<std::uintptr_t>(range.first, object->dlpi_addr + part.p_vaddr);
    range.last = std::max<std::uintptr_t>(range.last, object->dlpi_addr + part.p_vaddr + part.p_memsz);
  }
  return 0;
}

[[gnu::constructor]] void begin() {
  dl_iterate_phdr(note_code, nullptr);
  const char* name = std::getenv("MEMORY_FILE");
  const int file = name ? ::open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644) : -1;
  if (file < 0) return;
  ::unsetenv("MEMORY_FILE");  // do not count child processes
  ::unsetenv("LD_PRELOAD");
  sigset_t all, before;  // the program handles the signals
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread([file] {
    for (;; std::this_thread::sleep_for(std::chrono::milliseconds(500))) {
      std::array<char, 64> line;
      const int length = std::snprintf(line.data(), line.size(), "%10lld %10lld\n", own_bytes.load() / 1024LL,
                                       all_bytes.load() / 1024LL);
      if (::pwrite(file, line.data(), static_cast<std::size_t>(length), 0) < 0) return;
    }
  }).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace

// NOLINTBEGIN: the names and forms are the library's.
#define CALLER __builtin_return_address(0)
extern "C" {
void* malloc(std::size_t size) {
  return take(size, 0, CALLER);
}
void free(void* memory) {
  give_back(memory);
}
void* calloc(std::size_t count, std::size_t each) {
  std::size_t size = 0;
  if (__builtin_mul_overflow(count, each, &size)) return errno = ENOMEM, nullptr;
  void* memory = take(size, 0, CALLER);
  return memory ? std::memset(memory, 0, size) : nullptr;
}
void* realloc(void* memory, std::size_t size) {
  if (memory && size == 0) return give_back(memory), nullptr;
  void* larger = take(size, 0, CALLER);
  if (!memory || !larger) return larger;
  std::memcpy(larger, memory, std::min(size, header(memory)->size));
  give_back(memory);
  return larger;
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  *memory = take(size, alignment, CALLER);
  return *memory ? 0 : ENOMEM;
}
void* memalign(std::size_t alignment, std::size_t size) {
  return take(size, alignment, CALLER);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return take(size, alignment, CALLER);
}
std::size_t malloc_usable_size(void* memory) {
  return memory ? header(memory)->size : 0;
}
}

void* operator new(std::size_t size) {
  return take_or_throw(size, 0, CALLER);
}
void* operator new[](std::size_t size) {
  return take_or_throw(size, 0, CALLER);
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return take(size, 0, CALLER);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return take(size, 0, CALLER);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return take_or_throw(size, static_cast<std::size_t>(alignment), CALLER);
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return take_or_throw(size, static_cast<std::size_t>(alignment), CALLER);
}
void operator delete(void* memory) noexcept {
  give_back(memory);
}
void operator delete[](void* memory) noexcept {
  give_back(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  give_back(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  give_back(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  give_back(memory);
}
void operator delete[](void* memory, std::align_val_t) noexcept {
  give_back(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  give_back(memory);
}
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
  give_back(memory);
}
// NOLINTEND
