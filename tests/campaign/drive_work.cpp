#include "drive_work.h"

#include <algorithm>
#include <cmath>

#include "carom/engine/model.h"
#include "carom/record/memory_writer.h"
#include "carom/scene/read/read.h"
#include "carom/simulation/run.h"

namespace carom::campaign {
namespace {

/// Powers at the times of rows.
struct Powers {
  const std::vector<double>& time;
  std::vector<double> power;

  /// From the time a to b, between which the power is smooth.
  double integral(double a, double b) const {
    constexpr double kBeside = 1e-12;  // a row at a jump shows either side
    std::size_t first = 0, last = time.size();
    while (first < last && time[first] < a + kBeside) ++first;
    while (last > first && time[last - 1] > b - kBeside) --last;
    if (last - first < 2) return last > first ? (b - a) * power[first] : 0.0;
    const double before = line(a, first, first + 1), behind = line(b, last - 1, last - 2);
    double sum = 0.5 * (time[first] - a) * (before + power[first]) +
                 0.5 * (b - time[last - 1]) * (power[last - 1] + behind);
    std::size_t i = first;
    for (; i + 2 < last; i += 2) {
      sum += (time[i + 2] - time[i]) / 6.0 * (power[i] + 4.0 * power[i + 1] + power[i + 2]);
    }
    if (i + 1 < last) sum += 0.5 * (time[i + 1] - time[i]) * (power[i] + power[i + 1]);
    return sum;
  }

 private:
  /// Through two rows.
  double line(double t, std::size_t i, std::size_t j) const {
    return power[i] + (power[j] - power[i]) * (t - time[i]) / (time[j] - time[i]);
  }
};

/// One term of (1); `pieces` ascend and hold both ends.
double recorded_work(const Recording& r, const DriveChannels& drive,
                     const std::vector<double>& pieces) {
  const std::vector<double> v = r.column(drive.velocity);
  Powers powers{r.time, r.column(drive.force)};
  for (std::size_t i = 0; i < v.size(); ++i) powers.power[i] *= v[i];
  double sum = 0.0;
  for (std::size_t i = 0; i + 1 < pieces.size(); ++i) {
    sum += powers.integral(pieces[i], pieces[i + 1]);
  }
  return sum;
}

}  // namespace

Outcome judge_drive_work(const std::string& label, const std::string& text,
                         const std::vector<DriveChannels>& drives, std::vector<double> jumps) {
  Outcome outcome;
  outcome.label = label, outcome.scene = text;
  const Scene scene = read_scene_text(text, "drive", {});
  Diagnostics diagnostics;
  const std::shared_ptr<const Model> model = compile(scene, diagnostics);
  if (!model) throw InputError(std::move(diagnostics));
  MemoryWriter memory;
  RunOptions options;
  options.recorder = &memory;
  const RunResult r = run(model, options);
  if (r.status != RunStatus::completed) outcome.complaint = r.reason;
  outcome.evaluations = r.statistics.counts.rhs_evaluations;
  outcome.limit = std::max(1e-4, 100.0 * scene.run.tolerance) * r.turned_over;
  const Recording& recording = memory.recording();
  std::erase_if(jumps, [&](double t) { return t <= 0.0 || t >= recording.time.back(); });
  jumps.push_back(0.0), jumps.push_back(recording.time.back());
  std::ranges::sort(jumps);
  double work = 0.0;
  for (const DriveChannels& drive : drives) work += recorded_work(recording, drive, jumps);
  outcome.measure = std::max(r.largest_residual, std::abs(r.energy.drive_work - work));
  return outcome;
}

}  // namespace carom::campaign
