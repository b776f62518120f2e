// Random campaigns: thousands of scenes nobody has tuned, judged by a law that needs no reference.
//
// A campaign is one file of this folder that makes the case with a given seed and judges it. A
// case is a scene as a user would write it, so that one that fails can be kept and run by itself.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <string>

namespace carom::campaign {

/// One case, judged: it holds if measure <= limit.
struct Outcome {
  double measure = 0.0;
  double limit = 1.0;
  double coarse = 0.0;      ///< measure over limit of the same case at a coarser tolerance
  std::string complaint{};  ///< beyond the measure: a failed run, a broken invariant
  bool is_finished = true;  ///< false: cut off at its bound of work, and judged up to there
  std::string label{};      ///< what kind of case it is
  std::string scene{};      ///< YAML
  std::int64_t evaluations = 0;

  bool holds() const { return complaint.empty() && measure <= limit; }
};

struct Campaign {
  const char* name;
  const char* doc;
  const char* measure;  ///< what the measure is
  int count;            ///< cases of a whole campaign
  Outcome (*run)(std::uint64_t seed);
  double most_of_99 = 1.0;  ///< share of the limit that 99 of 100 cases stay below
  double least_fall = 0.0;  ///< of the measures together, from the coarser tolerance
};

std::span<const Campaign* const> all_campaigns();

/// Random numbers of a case.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  /// Uniform in the logarithm.
  double spread(double low, double high);
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(engine_); }
  bool chance(double probability) { return uniform(0.0, 1.0) < probability; }

 private:
  std::mt19937_64 engine_;
};

/// "[a, b, c]" with all digits.
std::string vector_text(double a, double b, double c);
std::string exact_text(double value);

}  // namespace carom::campaign
