// Replaces operator new to count what the code under test asks for. In a file of its own,
// so that the compiler never sees one half of a new/delete pair inlined. Nothing in
// geometry's hot code uses malloc directly.
#include "count_allocations.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<long> allocations{0};
}

void* operator new(std::size_t size) {
  ++allocations;
  if (void* p = std::malloc(size)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace carom {

long allocation_count() { return allocations; }

}  // namespace carom
