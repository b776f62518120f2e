// What a varied quantity may be: a range, a distribution, or one of several values.
//
// Every kind maps a number u in [0, 1) of the design to a value by its quantile function, so that
// one design serves them all.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace carom::sweep {

struct Distribution {
  enum class Kind { uniform, loguniform, normal, lognormal, triangular, choice };
  Kind kind = Kind::uniform;
  double a = 0, b = 1;  ///< bounds; mean and standard deviation of normal (of the logarithm)
  double mode = 0.5;    ///< of triangular
  std::vector<std::string> choices;  ///< YAML texts, as written
  std::vector<double> numbers;       ///< of choices that are all numbers, else empty

  bool is_choice() const { return kind == Kind::choice; }
  /// Whether u = 0 has no finite value.
  bool is_unbounded() const { return kind == Kind::normal || kind == Kind::lognormal; }
};

/// The value at u; of choices, their index.
double quantile(const Distribution& distribution, double u);

/// Inverse of the normal distribution function, to 1e-16 [Wichura1988, AS 241].
double normal_quantile(double p);

/// Value `index` of `count` on a grid: both ends of a range, middles of equal parts of an
/// unbounded distribution, the choices themselves.
double grid_value(const Distribution& distribution, std::size_t index, std::size_t count);

/// The value as YAML: the shortest text of a number, or the choice.
std::string value_text(const Distribution& distribution, double value);

std::string_view to_string(Distribution::Kind kind);

}  // namespace carom::sweep
