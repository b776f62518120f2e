// Counts every allocation of the process: malloc itself is replaced, because not all
// memory comes from operator new (Eigen, C libraries). Works with glibc; under a
// sanitizer, which brings an allocator of its own, there is nothing to count.
#pragma once

namespace carom::testing {

/// Whether allocations can be counted in this build.
bool can_count_allocations();
/// Calls of malloc, calloc, realloc and the aligned ones since the program began.
long allocation_count();

}  // namespace carom::testing
