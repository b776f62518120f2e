// Runs a random campaign and tells what did not hold.
//
//   carom_campaign starts                     all its cases, with a seed of the day
//   carom_campaign starts --seed 7 --count 50
//   carom_campaign starts --case 123456789    one case: its scene and its verdict
//
// The exit code is 1 if a case does not hold.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <vector>

#include "campaign.h"
#include "carom/base/param.h"

namespace carom::campaign {

extern const Campaign campaign_starts, campaign_drops, campaign_falling_excess, campaign_heaps,
    campaign_drives, campaign_sudden_drives, campaign_implicit, campaign_implicit_joints,
    campaign_implicit_newton, campaign_cone_islands, campaign_rigid_heaps, campaign_rigid_throws,
    campaign_rigid_rests, campaign_rigid_pairs, campaign_stepped_joints, campaign_superquadrics,
    campaign_surfaces, campaign_mesh_heaps, campaign_mesh_boxes, campaign_area_sweeps;

std::span<const Campaign* const> all_campaigns() {
  static constexpr const Campaign* kAll[] = {
      &campaign_starts,        &campaign_drops,           &campaign_falling_excess,
      &campaign_heaps,         &campaign_drives,          &campaign_sudden_drives,
      &campaign_implicit,      &campaign_implicit_joints, &campaign_implicit_newton,
      &campaign_rigid_heaps,   &campaign_rigid_throws,    &campaign_cone_islands,
      &campaign_rigid_rests,   &campaign_rigid_pairs,     &campaign_stepped_joints,
      &campaign_superquadrics, &campaign_surfaces,        &campaign_mesh_heaps,
      &campaign_mesh_boxes,    &campaign_area_sweeps};
  return kAll;
}

double Dice::spread(double low, double high) {
  return std::exp(uniform(std::log(low), std::log(high)));
}

std::string exact_text(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

std::string vector_text(double a, double b, double c) {
  return "[" + exact_text(a) + ", " + exact_text(b) + ", " + exact_text(c) + "]";
}

namespace {

struct Options {
  const Campaign* campaign = nullptr;
  std::uint64_t seed = 0, only = 0;
  int count = 0;
  bool has_seed = false, has_only = false;
};

int usage() {
  std::printf("usage: carom_campaign NAME [--seed N] [--count N] [--case N]\n\n");
  for (const Campaign* c : all_campaigns()) {
    std::printf("  %-14s %s (%d cases)\n", c->name, c->doc, c->count);
  }
  return 2;
}

bool read_options(int argc, char** argv, Options& options) {
  if (argc < 2) return false;
  for (const Campaign* c : all_campaigns()) {
    if (std::strcmp(c->name, argv[1]) == 0) options.campaign = c;
  }
  if (!options.campaign) return false;
  options.count = options.campaign->count;
  for (int i = 2; i < argc; i += 2) {
    if (i + 1 >= argc) return false;
    char* end = nullptr;
    const std::uint64_t value = std::strtoull(argv[i + 1], &end, 10);
    if (end == argv[i + 1] || *end != '\0') return false;
    if (std::strcmp(argv[i], "--seed") == 0) {
      options.seed = value, options.has_seed = true;
    } else if (std::strcmp(argv[i], "--count") == 0) {
      options.count = static_cast<int>(value);
    } else if (std::strcmp(argv[i], "--case") == 0) {
      options.only = value, options.has_only = true;
    } else {
      return false;
    }
  }
  return true;
}

/// The seed of a case: neighbours of a plain counter would be alike (splitmix64).
std::uint64_t seed_of(std::uint64_t campaign, int index) {
  std::uint64_t z = campaign + 0x9e3779b97f4a7c15u * static_cast<std::uint64_t>(index + 1);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (z ^ (z >> 31)) >> 12;  // short enough to be typed
}

Outcome run_case(const Campaign& campaign, std::uint64_t seed) {
  try {
    return campaign.run(seed);
  } catch (const std::exception& error) {
    Outcome outcome;
    outcome.complaint = error.what();
    return outcome;
  }
}

void print_case(std::uint64_t seed, const Outcome& o) {
  std::printf("  case %llu (%s): %.3g of %.3g%s%s\n", static_cast<unsigned long long>(seed),
              o.label.c_str(), o.measure, o.limit, o.complaint.empty() ? "" : "; ",
              o.complaint.c_str());
  std::fflush(stdout);
}

struct Tally {
  int count = 0, broken = 0, unfinished = 0;
  std::vector<double> shares;  ///< measure over limit
  double sum = 0.0, coarse = 0.0;
  std::int64_t evaluations = 0;

  void add(const Outcome& o) {
    ++count;
    broken += o.holds() ? 0 : 1;
    unfinished += o.is_finished ? 0 : 1;
    shares.push_back(o.limit > 0.0 ? o.measure / o.limit : o.measure);
    sum += shares.back(), coarse += o.coarse;
    evaluations += o.evaluations;
  }
  double at(double q) {
    std::sort(shares.begin(), shares.end());
    return shares[static_cast<std::size_t>(q * static_cast<double>(shares.size() - 1))];
  }
  void print(const char* label) {
    std::printf(
        "  %-28s %6d cases, %d broken, %d cut off; of the limit: median %.2g, 99 %% %.2g, "
        "worst %.2g; %lld evaluations\n",
        label, count, broken, unfinished, at(0.5), at(0.99), at(1.0),
        static_cast<long long>(evaluations));
  }
};

double coarse_over_fine(const Tally& t) { return t.sum > 0.0 ? t.coarse / t.sum : kInf; }

int run_all(const Options& options) {
  const Campaign& campaign = *options.campaign;
  std::printf("%s: %s; %d cases, seed %llu\n", campaign.name, campaign.measure, options.count,
              static_cast<unsigned long long>(options.seed));
  std::map<std::string, Tally> tallies;
  Tally all;
  for (int i = 0; i < options.count; ++i) {
    const std::uint64_t seed = seed_of(options.seed, i);
    const Outcome outcome = run_case(campaign, seed);
    if (!outcome.holds()) print_case(seed, outcome);
    tallies[outcome.label].add(outcome);
    all.add(outcome);
  }
  if (all.count == 0) return 0;
  for (auto& [label, tally] : tallies) tally.print(label.c_str());
  all.print("all");
  const bool is_low = all.at(0.99) <= campaign.most_of_99;
  if (!is_low)
    std::printf("  99 of 100 are to stay below %.2g of the limit\n", campaign.most_of_99);
  const bool falls = coarse_over_fine(all) >= campaign.least_fall;
  if (campaign.least_fall > 0.0) {
    std::printf(
        "  at the coarser tolerance the measures are %.3g times as large; to be at least %g\n",
        coarse_over_fine(all), campaign.least_fall);
  }
  return all.broken > 0 || !is_low || !falls ? 1 : 0;
}

}  // namespace
}  // namespace carom::campaign

int main(int argc, char** argv) {
  using namespace carom::campaign;
  Options options;
  if (!read_options(argc, argv, options)) return usage();
  if (options.has_only) {
    const Outcome outcome = run_case(*options.campaign, options.only);
    std::printf("%s", outcome.scene.c_str());
    print_case(options.only, outcome);
    return outcome.holds() ? 0 : 1;
  }
  if (!options.has_seed) {
    options.seed = static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch() /
                                              std::chrono::microseconds(1));
  }
  return run_all(options);
}
