// Indices of one kind are not taken for those of another: what must not compile does not.
#include "carom/base/id.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <tuple>
#include <type_traits>

#include "carom/base/archive.h"
#include "carom/base/index.h"

namespace carom {
namespace {

using RowId = Id<struct RowOrder, int>;
using ColumnId = Id<struct ColumnOrder, int>;
using BigId = Id<struct BigOrder, std::uint32_t>;

template <class Array, class Key>
concept LooksUp = requires(Array& array, Key key) { array[key]; };
template <class Array, class Key>
concept LooksUpAt = requires(Array& array, Key key) { array[at(key)]; };
template <class A, class B>
concept Compares = requires(A a, B b) { a == b; };
template <class A, class B>
concept Orders = requires(A a, B b) { a < b; };

TEST(Id, LooksUpItsOwnArrayAlone) {
  using Rows = IdArray<RowId, double>;
  static_assert(LooksUp<Rows, RowId> && LooksUp<const Rows, RowId> && LooksUpAt<Rows, RowId>);
  static_assert(LooksUp<Rows, std::size_t> && LooksUpAt<Rows, int>);  // counters of loops
  static_assert(!LooksUp<Rows, ColumnId> && !LooksUp<const Rows, ColumnId>);
  static_assert(!LooksUpAt<Rows, ColumnId> && !LooksUp<Rows, BigId>);
  Rows rows{1.0, 2.0, 3.0};
  rows[RowId(1)] = 5.0;
  EXPECT_EQ(rows[std::size_t{1}], 5.0);
  EXPECT_TRUE(rows.has(0) && rows.has(2));
  EXPECT_FALSE(rows.has(3) || rows.has(-1));
}

TEST(Id, DoesNotBecomeAnother) {
  static_assert(!std::is_constructible_v<RowId, ColumnId>);
  static_assert(!std::is_assignable_v<RowId&, ColumnId>);
  static_assert(!std::is_convertible_v<BigId, RowId>);
  static_assert(!Compares<RowId, ColumnId> && !Compares<BigId, RowId>);
  static_assert(!Orders<RowId, ColumnId>);
  static_assert(Compares<RowId, RowId> && Orders<RowId, RowId> && Compares<RowId, int>);
  const RowId a = 2, b = 3;
  EXPECT_TRUE(a < b && a != b && a == 2 && a + 1 == b);
  EXPECT_LT(std::tie(a, b), std::tie(b, a));
}

TEST(Id, IsTheNumberThatItHolds) {
  static_assert(sizeof(RowId) == sizeof(int) && std::is_trivially_copyable_v<RowId>);
  EXPECT_EQ(RowId(), 0);
  ArchiveWriter plain, own;
  plain(7), own(RowId(7));
  EXPECT_EQ(own.bytes, plain.bytes);
  RowId back;
  ArchiveReader(own.bytes)(back);
  EXPECT_EQ(back, 7);
}

}  // namespace
}  // namespace carom
