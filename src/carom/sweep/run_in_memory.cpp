#include <chrono>
#include <thread>
#include <unordered_map>

#include "carom/sweep/point_runner.h"
#include "carom/sweep/sweep.h"

namespace carom::sweep {

std::optional<Table> run_in_memory(const std::shared_ptr<const Plan>& plan,
                                   const SweepOptions& options) {
  const std::uint64_t n = plan->design().size();
  std::vector<Row> rows(n);
  std::atomic<std::uint64_t> next{0}, done{0};
  std::atomic<bool> stop{false};
  std::uint64_t count = options.threads > 0 ? static_cast<std::uint64_t>(options.threads)
                                            : std::max(1u, std::thread::hardware_concurrency());
  count = std::min(count, n);
  std::vector<std::thread> threads;
  std::atomic<std::uint64_t> alive{count};
  for (std::uint64_t t = 0; t < count; ++t) {
    threads.emplace_back([&] {
      PointRunner runner(plan);
      for (std::uint64_t i = next++; i < n && !stop; i = next++) {
        std::optional<Row> row = runner.run(i, &stop);
        if (!row) break;
        rows[i] = *std::move(row);  // every thread its own elements
        ++done;
      }
      --alive;
    });
  }
  while (alive > 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (options.progress) options.progress({n, done, 0, done, 0.0});
    if (options.interrupt && *options.interrupt) stop = true;
  }
  for (std::thread& thread : threads) thread.join();
  if (done < n) return {};
  return make_table(*plan, [&](std::uint64_t i) -> const Row& { return rows[i]; });
}

}  // namespace carom::sweep
