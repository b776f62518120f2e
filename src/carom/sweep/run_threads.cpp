#include <chrono>
#include <stdexcept>
#include <thread>

#include "carom/sweep/hand_out.h"
#include "carom/sweep/point_runner.h"
#include "carom/sweep/sweep.h"

namespace carom::sweep {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kSyncSeconds = 1.0;  ///< between two waits for the disk, per worker

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// What the threads of one start share.
struct Team {
  Team(Workplace& of, std::size_t workers) : place(of), hand_out(of.to_do(), workers) {}

  Workplace& place;
  HandOut hand_out;
  std::atomic<bool> stop{false};
  std::mutex mutex;
  std::string error;
  Clock::time_point begin = Clock::now();

  std::vector<std::uint64_t> take(int worker) {
    const std::lock_guard lock(mutex);
    return hand_out.take(worker, seconds_since(begin));
  }
  void finish(int worker, std::uint64_t point, double seconds) {
    const std::lock_guard lock(mutex);
    hand_out.done(worker, point, seconds);
  }
  void fail(const std::string& reason) {
    const std::lock_guard lock(mutex);
    if (error.empty()) error = reason;
    stop = true;
  }
};

void work(Team& team, int worker) {
  PointRunner runner(team.place.shared_plan());
  RowFile file(team.place.folder(), worker);
  auto last_sync = Clock::now();
  while (!team.stop) {
    const std::vector<std::uint64_t> points = team.take(worker);
    if (points.empty()) break;
    for (const std::uint64_t point : points) {
      const auto begin = Clock::now();
      std::optional<Row> row = runner.run(point, &team.stop);
      if (!row) return;
      row->attempt = team.place.attempt(point);
      if (!file.append(*row)) return team.fail(file.error());
      team.place.add(*std::move(row));
      team.finish(worker, point, seconds_since(begin));
      if (seconds_since(last_sync) > kSyncSeconds) {
        file.sync();
        last_sync = Clock::now();
      }
      if (team.stop) break;
    }
  }
  if (!file.sync()) team.fail(file.error());
}

}  // namespace

void run_on_threads(Workplace& place, const SweepOptions& options) {
  std::size_t count = options.threads > 0 ? static_cast<std::size_t>(options.threads)
                                          : std::max(1u, std::thread::hardware_concurrency());
  count = std::min(count, std::max<std::size_t>(place.to_do().size(), 1));
  Team team(place, count);
  std::atomic<std::size_t> alive{count};
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < count; ++i) {
    threads.emplace_back([&, i] {
      try {
        work(team, static_cast<int>(i));
      } catch (const std::exception& error) {
        team.fail(error.what());
      }
      --alive;
    });
  }
  int ticks = 0;
  while (alive > 0) {
    // Short at first, so that a small study does not wait for its own progress line.
    std::this_thread::sleep_for(std::chrono::milliseconds(ticks++ < 20 ? 1 : 20));
    if (options.interrupt && *options.interrupt) team.stop = true;
    if (!options.progress || ticks % 10 != 0) continue;
    SweepProgress progress = place.progress();
    progress.seconds = seconds_since(team.begin);
    options.progress(progress);
  }
  for (std::thread& thread : threads) thread.join();
  if (!team.error.empty()) throw std::runtime_error(team.error);
}

}  // namespace carom::sweep
