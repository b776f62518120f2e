// Points of a contact: as many as most contacts have in place, and any number beyond.
//
// A contact of convex bodies has at most N points, and none of them allocates. That of a mesh has
// some per triangle that presses; the room that it once took is kept.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace carom {

template <class T, std::size_t N>
class PointList {
 public:
  T* data() { return more_.empty() ? own_.data() : more_.data(); }
  const T* data() const { return more_.empty() ? own_.data() : more_.data(); }
  T& operator[](std::size_t i) { return data()[i]; }
  const T& operator[](std::size_t i) const { return data()[i]; }
  T* begin() { return data(); }
  const T* begin() const { return data(); }
  std::size_t room() const { return more_.empty() ? N : more_.size(); }

  /// Room for `count` of them; what is there stays.
  void make_room(std::size_t count) {
    if (count <= room()) return;
    if (more_.empty()) more_.assign(own_.begin(), own_.end());
    more_.resize(count > 2 * more_.size() ? count : 2 * more_.size());
  }

 private:
  std::array<T, N> own_;
  std::vector<T> more_;
};

}  // namespace carom
