// Rows on disk: what is whole is read, what is not is passed over; and who gets which points.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <set>

#include "carom/base/digest.h"
#include "carom/sweep/hand_out.h"
#include "carom/sweep/row_files.h"

namespace carom::sweep {
namespace {

namespace fs = std::filesystem;

Row row_of(int i) {
  Row row;
  row.key = *Key::from_hex(digest_of(std::to_string(i)));
  row.time = i;
  row.reason = std::string(static_cast<std::size_t>(i % 7), 'r');
  row.values = {i * 0.5, -1.0 * i};
  return row;
}

struct Folder {
  fs::path path = fs::temp_directory_path() / ("carom-rows-" + std::to_string(getpid()));
  Folder() { fs::remove_all(path); }
  ~Folder() { fs::remove_all(path); }
  fs::path file() const {
    for (const auto& e : fs::recursive_directory_iterator(path / "rows")) {
      if (e.is_regular_file()) return e.path();
    }
    return {};
  }
};

TEST(Rows, CutAnywhereLeaveTheWholeOnes) {
  std::string bytes;
  std::vector<std::size_t> ends;
  for (int i = 0; i < 6; ++i) {
    bytes += encode(row_of(i));
    ends.push_back(bytes.size());
  }
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    std::string_view rest(bytes.data(), cut);
    std::size_t count = 0;
    while (const auto row = decode(rest)) {
      EXPECT_EQ(row->values, row_of(static_cast<int>(count)).values);
      ++count;
    }
    const auto whole = std::count_if(ends.begin(), ends.end(), [&](auto e) { return e <= cut; });
    ASSERT_EQ(count, static_cast<std::size_t>(whole)) << cut;
  }
}

TEST(Rows, WithAFlippedBitDoNotCount) {
  const std::string bytes = encode(row_of(3));
  int accepted = 0;
  for (std::size_t i = 0; i < bytes.size() * 8; ++i) {
    std::string damaged = bytes;
    damaged[i / 8] = static_cast<char>(damaged[i / 8] ^ (1 << (i % 8)));
    std::string_view rest = damaged;
    accepted += decode(rest).has_value();
  }
  EXPECT_EQ(accepted, 0);
}

TEST(RowFiles, AreReadAfterATornWrite) {
  const Folder folder;
  {
    RowFile file(folder.path.string(), 0);
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(file.append(row_of(i))) << file.error();
  }
  fs::resize_file(folder.file(), fs::file_size(folder.file()) - 5);
  RowStore store;
  store.read(folder.path.string());
  EXPECT_EQ(store.size(), 9u);
  EXPECT_EQ(store.torn_files(), 1u);
}

TEST(RowFiles, KeepTheLastAttempt) {
  RowStore store;
  Row first = row_of(1), second = row_of(1);
  second.attempt = 2;
  second.status = RowStatus::failed;
  store.add(second);
  store.add(first);
  EXPECT_EQ(store.size(), 1u);
  EXPECT_EQ(store.find(first.key)->status, RowStatus::failed);
}

TEST(FolderLock, KeepsTheSecondSweepOut) {
  const Folder folder;
  const FolderLock held(folder.path.string(), FolderLock::Kind::whole, "", 0.0);
  EXPECT_THROW(FolderLock(folder.path.string(), FolderLock::Kind::whole, "", 0.1),
               std::runtime_error);
  EXPECT_THROW(FolderLock(folder.path.string(), FolderLock::Kind::shard, "1-of-2", 0.0),
               std::runtime_error);
}

TEST(FolderLock, LetsDifferentShardsIn) {
  const Folder folder;
  const FolderLock one(folder.path.string(), FolderLock::Kind::shard, "1-of-2", 0.0);
  const FolderLock two(folder.path.string(), FolderLock::Kind::shard, "2-of-2", 0.0);
  EXPECT_THROW(FolderLock(folder.path.string(), FolderLock::Kind::shard, "1-of-2", 0.0),
               std::runtime_error);
}

TEST(HandOut, GivesEveryPointOnceWhileAllWorkersLive) {
  std::vector<std::uint64_t> points(1000);
  for (std::size_t i = 0; i < points.size(); ++i) points[i] = i;
  HandOut out(points, 4);
  std::multiset<std::uint64_t> given;
  for (int worker = 0; !out.finished(); worker = (worker + 1) % 4) {
    for (const std::uint64_t p : out.take(worker, 0.0)) {
      given.insert(p);
      EXPECT_TRUE(out.done(worker, p, 1e-4));
    }
  }
  EXPECT_EQ(given.size(), 1000u);
  EXPECT_EQ(out.handed_twice(), 0u);
}

TEST(HandOut, GivesTheWorkOfALostWorkerToAnother) {
  HandOut out({0, 1, 2, 3}, 2);
  ASSERT_EQ(out.take(0, 0.0).size(), 1u);  // and never heard of again
  for (int i = 0; i < 3; ++i) {
    for (const std::uint64_t p : out.take(1, 0.0)) out.done(1, p, 1e-3);
  }
  EXPECT_FALSE(out.finished());
  EXPECT_TRUE(out.take(1, 1.0).empty());
  const auto again = out.take(1, 10.0);
  ASSERT_EQ(again, std::vector<std::uint64_t>{0});
  EXPECT_TRUE(out.done(1, 0, 1e-3));
  EXPECT_TRUE(out.finished());
  EXPECT_FALSE(out.done(0, 0, 20.0)) << "its row counts once";
}

}  // namespace
}  // namespace carom::sweep
