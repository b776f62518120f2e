// Indices are `int` in the engine's arrays (small, signed, -1 is none); the standard library's are
// not. `v[at(i)]` says that the one becomes the other.
#pragma once

#include <cstddef>

namespace carom {

constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace carom
