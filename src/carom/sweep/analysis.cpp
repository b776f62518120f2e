#include "carom/sweep/analysis.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

namespace carom::sweep {
namespace {

constexpr std::size_t kResamples = 200;
constexpr std::uint64_t kBootstrapSeed = 0x626f6f74;
constexpr double kRounding = 1e-13;  ///< of a column's size: a few hundred roundings
constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

double sorted_quantile(const std::vector<double>& sorted, double p) {
  const double at = p * static_cast<double>(sorted.size() - 1);
  const auto i = static_cast<std::size_t>(at);
  if (i + 1 >= sorted.size()) return sorted.back();
  return sorted[i] + (at - static_cast<double>(i)) * (sorted[i + 1] - sorted[i]);
}

std::vector<Effect> unknown_effects(std::size_t count) {
  const Interval none{kMissing, kMissing, kMissing};
  return std::vector<Effect>(count, Effect{none, none, none, none, none});
}

/// Estimators of a sample of units (blocks, trajectories, points), by their numbers.
using Sample = std::vector<std::uint32_t>;
using Estimator = std::function<std::vector<double>(const Sample&)>;

/// The estimates of all units, with intervals of resampled ones.
std::vector<Interval> bootstrap(std::size_t units, const Estimator& estimate) {
  Sample all(units);
  std::iota(all.begin(), all.end(), 0u);
  std::vector<Interval> out;
  for (const double value : estimate(all)) out.push_back({value, value, value});
  std::vector<std::vector<double>> samples(out.size());
  Sample drawn(units);
  for (std::size_t r = 0; r < kResamples && units > 1; ++r) {
    for (std::size_t i = 0; i < units; ++i) {
      const double u = random_unit(kBootstrapSeed, r, i);
      drawn[i] = static_cast<std::uint32_t>(u * static_cast<double>(units));
    }
    const std::vector<double> values = estimate(drawn);
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (!std::isnan(values[k])) samples[k].push_back(values[k]);
    }
  }
  for (std::size_t k = 0; k < out.size(); ++k) {
    if (samples[k].empty()) continue;
    std::sort(samples[k].begin(), samples[k].end());
    // Points drawn twice make parts look more alike than they are: the bias of the resampled
    // estimates against the estimate itself is taken away.
    const double bias = sorted_quantile(samples[k], 0.5) - out[k].value;
    out[k].low = sorted_quantile(samples[k], 0.025) - bias;
    out[k].high = sorted_quantile(samples[k], 0.975) - bias;
  }
  return out;
}

/// First numbers of the blocks or trajectories all of whose rows have a value.
std::vector<std::size_t> whole_blocks(const std::vector<double>& y, std::size_t block) {
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i + block <= y.size(); i += block) {
    const auto begin = y.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::none_of(begin, begin + static_cast<std::ptrdiff_t>(block),
                     [](double x) { return std::isnan(x); })) {
      starts.push_back(i);
    }
  }
  return starts;
}

/// (1) and (2): S_1, …, S_k, ST_1, …, ST_k.
std::vector<Effect> sobol_indices(const std::vector<double>& y, std::size_t k, std::size_t& used) {
  const std::vector<std::size_t> starts = whole_blocks(y, k + 2);
  used = starts.size();
  std::vector<Effect> effects(k);
  if (starts.empty()) return effects;
  const auto estimate = [&](const Sample& sample) {
    const auto n = static_cast<double>(sample.size());
    double mean = 0.0, variance = 0.0;
    for (const std::uint32_t i : sample) mean += y[starts[i]] + y[starts[i] + 1];
    mean /= 2.0 * n;
    std::vector<double> out(2 * k, 0.0);
    for (const std::uint32_t i : sample) {
      const double a = y[starts[i]] - mean, b = y[starts[i] + 1] - mean;
      variance += a * a + b * b;
      for (std::size_t j = 0; j < k; ++j) {
        const double ab = y[starts[i] + 2 + j] - mean;
        out[j] += b * (ab - a);
        out[k + j] += 0.5 * (a - ab) * (a - ab);
      }
    }
    variance /= 2.0;
    for (double& value : out) value = variance > 0.0 ? value / variance : kMissing;
    return out;
  };
  const std::vector<Interval> intervals = bootstrap(starts.size(), estimate);
  for (std::size_t j = 0; j < k; ++j) {
    effects[j].first = intervals[j];
    effects[j].total = intervals[k + j];
  }
  return effects;
}

/// (3)
std::vector<Effect> morris_effects(const std::vector<double>& y, const Design& design,
                                   std::size_t& used) {
  const std::size_t k = design.width();
  const std::vector<std::size_t> starts = whole_blocks(y, k + 1);
  used = starts.size();
  std::vector<Effect> effects(k);
  if (starts.empty()) return effects;
  std::vector<double> slopes(starts.size() * k), before(k), after(k);
  for (std::size_t t = 0; t < starts.size(); ++t) {
    for (std::size_t s = 0; s < k; ++s) {
      design.morris_levels(starts[t] + s, before);
      design.morris_levels(starts[t] + s + 1, after);
      for (std::size_t j = 0; j < k; ++j) {
        if (before[j] == after[j]) continue;
        slopes[t * k + j] = (y[starts[t] + s + 1] - y[starts[t] + s]) / (after[j] - before[j]);
      }
    }
  }
  const auto estimate = [&](const Sample& sample) {
    const auto n = static_cast<double>(sample.size());
    std::vector<double> out;
    for (std::size_t j = 0; j < k; ++j) {
      double mu = 0.0, mu_star = 0.0, square = 0.0;
      for (const std::uint32_t t : sample) mu += slopes[t * k + j] / n;
      for (const std::uint32_t t : sample) {
        const double slope = slopes[t * k + j];
        mu_star += std::abs(slope) / n;
        square += (slope - mu) * (slope - mu);
      }
      out.insert(out.end(), {mu, mu_star, n > 1.0 ? std::sqrt(square / (n - 1.0)) : 0.0});
    }
    return out;
  };
  const std::vector<Interval> intervals = bootstrap(starts.size(), estimate);
  for (std::size_t j = 0; j < k; ++j) {
    effects[j].mu = intervals[3 * j];
    effects[j].mu_star = intervals[3 * j + 1];
    effects[j].sigma = intervals[3 * j + 2];
  }
  return effects;
}

/// Which part of a place each point is in: equal numbers of points, or the choice.
std::vector<std::uint32_t> parts_of(const std::vector<double>& x, const Distribution& d) {
  std::vector<std::uint32_t> parts(x.size());
  if (d.is_choice()) {
    for (std::size_t i = 0; i < x.size(); ++i) parts[i] = static_cast<std::uint32_t>(x[i]);
    return parts;
  }
  std::vector<std::uint32_t> order(x.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return x[a] < x[b]; });
  const auto count = std::clamp<std::size_t>(
      static_cast<std::size_t>(std::sqrt(static_cast<double>(x.size()))), 2, 64);
  for (std::size_t r = 0; r < order.size(); ++r) {
    parts[order[r]] = static_cast<std::uint32_t>(r * count / order.size());
    // Equal values, as on a grid, are one part.
    if (r > 0 && x[order[r]] == x[order[r - 1]]) parts[order[r]] = parts[order[r - 1]];
  }
  return parts;
}

/// (4): between parts, less what parts of finite size show by chance.
std::vector<double> correlation_ratios(const std::vector<double>& y,
                                       const std::vector<std::vector<std::uint32_t>>& parts,
                                       const Sample& sample) {
  const auto n = static_cast<double>(sample.size());
  double mean = 0.0, total = 0.0;
  for (const std::uint32_t i : sample) mean += y[i] / n;
  for (const std::uint32_t i : sample) total += (y[i] - mean) * (y[i] - mean);
  std::vector<double> out;
  for (const std::vector<std::uint32_t>& part : parts) {
    const std::uint32_t count = part.empty() ? 0 : *std::max_element(part.begin(), part.end()) + 1;
    std::vector<double> sum(count), size(count);
    for (const std::uint32_t i : sample) {
      sum[part[i]] += y[i] - mean;
      size[part[i]] += 1.0;
    }
    double between = 0.0, used = 0.0;
    for (std::uint32_t p = 0; p < count; ++p) {
      if (size[p] == 0.0) continue;
      between += sum[p] * sum[p] / size[p];
      used += 1.0;
    }
    const double within = n > used ? (total - between) / (n - used) : 0.0;
    out.push_back(total > 0.0 ? (between - (used - 1.0) * within) / total : kMissing);
  }
  return out;
}

std::vector<Effect> first_indices(const std::vector<double>& y, const Plan& plan,
                                  std::size_t& used) {
  const std::size_t k = plan.design().width();
  std::vector<double> value, point(k);
  std::vector<std::vector<double>> x(k);
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (std::isnan(y[i])) continue;
    plan.design().point(i, point);
    value.push_back(y[i]);
    for (std::size_t j = 0; j < k; ++j) x[j].push_back(point[j]);
  }
  used = value.size();
  std::vector<Effect> effects(k);
  if (value.size() < 4) return effects;
  std::vector<std::vector<std::uint32_t>> parts;
  for (std::size_t j = 0; j < k; ++j) {
    parts.push_back(parts_of(x[j], plan.study().factors[j].distribution));
  }
  const std::vector<Interval> intervals =
      bootstrap(value.size(), [&](const Sample& s) { return correlation_ratios(value, parts, s); });
  for (std::size_t j = 0; j < k; ++j) effects[j].first = intervals[j];
  return effects;
}

}  // namespace

std::string_view to_string(Sensitivity::Method method) {
  constexpr std::string_view kNames[] = {"blocks", "morris", "parts"};
  return kNames[static_cast<std::size_t>(method)];
}

ColumnStatistics describe_column(const std::vector<double>& values) {
  std::vector<double> x;
  std::copy_if(values.begin(), values.end(), std::back_inserter(x),
               [](double v) { return std::isfinite(v); });
  ColumnStatistics s;
  s.count = x.size();
  if (x.empty()) return s;
  std::sort(x.begin(), x.end());
  const auto n = static_cast<double>(x.size());
  s.min = x.front();
  s.max = x.back();
  for (const double v : x) s.mean += v / n;
  for (const double v : x) s.sd += (v - s.mean) * (v - s.mean);
  s.sd = n > 1.0 ? std::sqrt(s.sd / (n - 1.0)) : 0.0;
  s.standard_error = s.sd / std::sqrt(n);
  s.q05 = sorted_quantile(x, 0.05);
  s.q25 = sorted_quantile(x, 0.25);
  s.median = sorted_quantile(x, 0.5);
  s.q75 = sorted_quantile(x, 0.75);
  s.q95 = sorted_quantile(x, 0.95);
  const auto bins = std::clamp<std::size_t>(static_cast<std::size_t>(std::sqrt(n)), 1, 40);
  s.histogram.assign(bins, 0);
  for (const double v : x) {
    const double part = s.max > s.min ? (v - s.min) / (s.max - s.min) : 0.0;
    ++s.histogram[std::min(static_cast<std::size_t>(part * static_cast<double>(bins)), bins - 1)];
  }
  return s;
}

Analysis analyse(const Plan& plan, const Table& table) {
  Analysis out;
  Sensitivity& s = out.sensitivity;
  const DesignSpec& design = plan.study().design;
  if (design.indices) s.method = Sensitivity::Method::blocks;
  if (design.kind == DesignSpec::Kind::morris) s.method = Sensitivity::Method::morris;
  const TableColumn& status = *table.find("status");
  for (const TableColumn& column : table.columns) {
    if (column.group != "record") continue;
    std::vector<double> y = column.numbers;
    for (std::size_t i = 0; i < y.size(); ++i) {
      if (status.texts[i] != "completed" || !std::isfinite(y[i])) y[i] = kMissing;
    }
    out.statistics.push_back(describe_column(y));
    const ColumnStatistics& of = out.statistics.back();
    // What differs by rounding only depends on nothing.
    if (!(of.sd > kRounding * std::max(std::abs(of.min), std::abs(of.max)))) {
      s.effects.push_back(unknown_effects(plan.design().width()));
      continue;
    }
    switch (s.method) {
      case Sensitivity::Method::blocks:
        s.effects.push_back(sobol_indices(y, plan.design().width(), s.used));
        break;
      case Sensitivity::Method::morris:
        s.effects.push_back(morris_effects(y, plan.design(), s.used));
        break;
      default: s.effects.push_back(first_indices(y, plan, s.used));
    }
  }
  return out;
}

}  // namespace carom::sweep
