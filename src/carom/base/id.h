// Indices of different kinds, which cannot be taken for each other.
//
//   using LinkId = Id<struct LinkKind, int>;
//   IdArray<LinkId, Link> links;
//
//   links[id]          of a LinkId
//   links[i]           of a counter of a loop
//   links[pair.law]    does not compile: a law is no link; nor do pair.law == link, link = pair.law
//
// A plain number becomes an index of any kind and every index a number, so loops, files and spans
// need no conversions; what the compiler refuses is the way from one kind to another. An Id is the
// number that it holds: it costs nothing.
#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <vector>

namespace carom {

template <class Kind, class Number>
class Id {
 public:
  constexpr Id() = default;
  constexpr Id(Number number) : number_(number) {}  // NOLINT: by intention
  template <std::integral Other>
  constexpr Id(Other number) : number_(static_cast<Number>(number)) {}  // NOLINT: by intention
  template <class Other, class N>
    requires(!std::same_as<Other, Kind>)
  Id(Id<Other, N>) = delete;

  constexpr operator Number() const { return number_; }  // NOLINT: by intention

  template <class Archive>
  friend void visit(Archive& archive, Id& id) {
    archive(id.number_);
  }
  template <class Archive>
  friend void visit(Archive& archive, const Id& id) {
    archive(id.number_);
  }

 private:
  Number number_ = 0;
};

// Indices of one kind compare as numbers.
template <class A, class NA, class B, class NB>
  requires(!std::same_as<A, B>)
bool operator==(Id<A, NA>, Id<B, NB>) = delete;
template <class A, class NA, class B, class NB>
  requires(!std::same_as<A, B>)
std::strong_ordering operator<=>(Id<A, NA>, Id<B, NB>) = delete;

/// A vector that ids of another kind do not look up.
template <class Key, class T>
class IdArray : public std::vector<T> {
 public:
  using std::vector<T>::vector;

  /// Whether there is such an entry.
  bool has(Key i) const { return i >= 0 && static_cast<std::size_t>(i) < this->size(); }
  T& operator[](std::size_t i) { return this->data()[i]; }
  const T& operator[](std::size_t i) const { return this->data()[i]; }
  T& operator[](Key i) { return this->data()[static_cast<std::size_t>(i)]; }
  const T& operator[](Key i) const { return this->data()[static_cast<std::size_t>(i)]; }
  template <class Kind, class Number>
    requires(!std::same_as<Id<Kind, Number>, Key>)
  const T& operator[](Id<Kind, Number> i) const = delete;
};

/// Ids need no conversion (base/index.h).
template <class Kind, class Number>
constexpr Id<Kind, Number> at(Id<Kind, Number> i) {
  return i;
}

}  // namespace carom
