#include "carom/verify/quantity.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "carom/base/text.h"
#include "carom/math/formula.h"
#include "carom/verify/own_sums.h"

namespace carom::verify {
namespace {

[[noreturn]] void refuse(const SourcePos& where, const std::string& message,
                         const std::string& remedy = {}) {
  Diagnostics diagnostics;
  diagnostics.error(where, message, remedy);
  throw InputError(std::move(diagnostics));
}

/// Does nothing where there is no error.
void refuse_formula(const SourcePos& where, const std::string& text, const FormulaError& error) {
  if (error.empty()) return;
  Diagnostics diagnostics;
  diagnostics.error(where, "'" + text + "': " + error.message, {},
                    show_formula_place(text, error.at));
  throw InputError(std::move(diagnostics));
}

std::vector<double> column_of(const std::string& name, const Case& of, const CaseRun& run,
                              const SourcePos& where) {
  if (name == "t") return run.rows.time;
  std::string full = name;
  for (const NamedText& alias : of.columns) {
    if (alias.name == name) full = alias.text;
  }
  std::vector<std::string> known = column_names(run.rows.channels);
  if (std::find(known.begin(), known.end(), full) != known.end()) return run.rows.column(full);
  std::vector<double> own = own_column(*run.model, run.rows, full);
  if (own.empty()) refuse(where, "'" + full + "' was not recorded", suggest(full, known));
  return own;
}

/// Rows within [from, until] of the quantity.
struct Window {
  std::size_t first = 0, last = 0;  ///< inclusive
};

Window window_of(const Quantity& q, const CaseRun& run, const Numbers& numbers) {
  const std::vector<double>& t = run.rows.time;
  const double slack = 1e-12 * (1.0 + std::abs(t.back()));
  const double from = q.from.empty() ? t.front() : calculate(q.from, numbers, q.where);
  const double until = q.until.empty() ? t.back() : calculate(q.until, numbers, q.where);
  Window w{t.size(), 0};
  for (std::size_t i = 0; i < t.size(); ++i) {
    if (t[i] < from - slack || t[i] > until + slack) continue;
    w.first = std::min(w.first, i);
    w.last = i;
  }
  if (w.first > w.last) refuse(q.where, "no row lies between `from` and `until`");
  return w;
}

double row_at(const std::vector<double>& t, const std::vector<double>& y, double time,
              const SourcePos& where) {
  const auto near = std::min_element(t.begin(), t.end(), [&](double a, double b) {
    return std::abs(a - time) < std::abs(b - time);
  });
  if (std::abs(*near - time) > 1e-9 * (1.0 + std::abs(time))) {
    refuse(where, "no row was recorded at t = " + number_text(time));
  }
  return y[static_cast<std::size_t>(near - t.begin())];
}

/// Vertex of the parabola through three rows around the greatest.
double peak(const std::vector<double>& y, const Window& w) {
  const auto begin = y.begin();
  const auto top = std::max_element(begin + static_cast<std::ptrdiff_t>(w.first),
                                    begin + static_cast<std::ptrdiff_t>(w.last) + 1);
  const auto i = static_cast<std::size_t>(top - begin);
  if (i == w.first || i == w.last) return *top;
  const double rise = y[i + 1] - y[i - 1], bend = y[i + 1] - 2.0 * y[i] + y[i - 1];
  return bend < 0.0 ? y[i] - rise * rise / (8.0 * bend) : y[i];
}

/// Zero of the cubic through four rows, between the second and the third of them.
double zero_between(const std::vector<double>& t, const std::vector<double>& y, std::size_t i) {
  const std::size_t first = std::min(i > 0 ? i - 1 : 0, t.size() - 4);
  const auto cubic = [&](double s) {
    double sum = 0.0;
    for (std::size_t j = first; j < first + 4; ++j) {
      double term = y[j];
      for (std::size_t k = first; k < first + 4; ++k) {
        if (k != j) term *= (s - t[k]) / (t[j] - t[k]);
      }
      sum += term;
    }
    return sum;
  };
  double low = t[i], high = t[i + 1];
  const bool rising = y[i + 1] > y[i];
  for (int k = 0; k < 80; ++k) {
    const double middle = 0.5 * (low + high);
    ((cubic(middle) < 0.0) == rising ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

/// The element that a quantity's `number` names, from 1, or from the end if negative.
template <class T>
const T& numbered(const std::vector<T>& found, const Quantity& q) {
  const auto count = static_cast<int>(found.size());
  const int place = q.number > 0 ? q.number - 1 : count + q.number;
  if (place < 0 || place >= count) {
    refuse(q.where, "'" + q.name + "': there are " + std::to_string(count) + " of '" + q.what +
                        "', not number " + std::to_string(q.number));
  }
  return found[static_cast<std::size_t>(place)];
}

double crossing(const Quantity& q, const std::vector<double>& t, const std::vector<double>& y,
                const Window& w) {
  std::vector<double> found;
  for (std::size_t i = w.first; i < w.last; ++i) {
    if ((y[i] > 0.0) != (y[i + 1] > 0.0)) found.push_back(zero_between(t, y, i));
  }
  return numbered(found, q);
}

std::vector<EngineEvent> events_of(const Quantity& q, const CaseRun& run) {
  std::vector<EngineEvent> found;
  for (const EngineEvent& event : run.result.events) {
    const std::string subject =
        event.other.empty() ? event.subject : event.subject + ", " + event.other;
    if (event.kind == q.what && (q.subject.empty() || q.subject == subject)) {
      found.push_back(event);
    }
  }
  return found;
}

double of_body(const Quantity& q, const CaseRun& run) {
  const std::size_t dot = q.what.find('.');
  const std::string name = q.what.substr(0, dot);
  const std::string part = dot == std::string::npos ? "" : q.what.substr(dot + 1);
  for (const BodyInfo& body : run.model->bodies) {
    if (body.name != name) continue;
    const MassProperties& m = body.mass;
    if (q.how == "mass") return m.mass;
    if (q.how == "center") return part == "x" ? m.com.x : part == "y" ? m.com.y : m.com.z;
    if (part == "xx") return m.inertia.xx;
    if (part == "yy") return m.inertia.yy;
    return part == "zz" ? m.inertia.zz : part == "xy" ? m.inertia.xy : m.inertia.xz;
  }
  refuse(q.where, "there is no body '" + name + "'");
}

double differing(const CaseRun& a, const CaseRun& b) {
  if (a.rows.time.size() != b.rows.time.size() || a.rows.values.size() != b.rows.values.size() ||
      a.result.events.size() != b.result.events.size()) {
    return kInf;
  }
  const auto unequal = [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) != std::bit_cast<std::uint64_t>(y);
  };
  double count = 0.0;
  for (std::size_t i = 0; i < a.rows.time.size(); ++i) {
    count += unequal(a.rows.time[i], b.rows.time[i]);
  }
  for (std::size_t i = 0; i < a.rows.values.size(); ++i) {
    count += unequal(a.rows.values[i], b.rows.values[i]);
  }
  for (std::size_t i = 0; i < a.result.events.size(); ++i) {
    count += unequal(a.result.events[i].time, b.result.events[i].time);
  }
  return count;
}

const CaseRun& run_of(const std::string& name, const Quantity& q, std::span<const CaseRun> runs) {
  if (name.empty()) return runs.front();
  for (const CaseRun& run : runs) {
    if (run.name == name) return run;
  }
  refuse(q.where, "there is no run '" + name + "'");
}

double integral(const std::vector<double>& t, const std::vector<double>& y, const Window& w) {
  double sum = 0.0;
  for (std::size_t i = w.first; i < w.last; ++i) sum += 0.5 * (t[i + 1] - t[i]) * (y[i] + y[i + 1]);
  return sum;
}

double of_rows(const Quantity& q, const Case& of, const CaseRun& run, const Numbers& numbers) {
  const std::vector<double> y = rows_of(q.what, of, run, numbers, q.where);
  const std::vector<double>& t = run.rows.time;
  if (q.how == "at") return row_at(t, y, calculate(q.at, numbers, q.where), q.where);
  const Window w = window_of(q, run, numbers);
  const auto begin = y.begin() + static_cast<std::ptrdiff_t>(w.first);
  const auto end = y.begin() + static_cast<std::ptrdiff_t>(w.last) + 1;
  if (q.how == "last") return y[w.last];
  if (q.how == "first") return y[w.first];
  if (q.how == "max") return *std::max_element(begin, end);
  if (q.how == "min") return *std::min_element(begin, end);
  if (q.how == "range") return *std::max_element(begin, end) - *std::min_element(begin, end);
  if (q.how == "peak") return peak(y, w);
  if (q.how == "crossing") return crossing(q, t, y, w);
  if (q.how == "mean") return integral(t, y, w) / (t[w.last] - t[w.first]);
  return integral(t, y, w);
}

}  // namespace

double calculate(const std::string& text, const Numbers& numbers, const SourcePos& where) {
  std::vector<FormulaVariable> variables;
  for (const auto& [name, value] : numbers) variables.push_back({name, &value});
  Formula formula;
  refuse_formula(where, text, formula.compile(text, variables));
  return formula();
}

std::vector<double> rows_of(const std::string& text, const Case& of, const CaseRun& run,
                            const Numbers& numbers, const SourcePos& where) {
  FormulaError error;
  const std::vector<FormulaUse> names = find_formula_names(text, error);
  refuse_formula(where, text, error);
  std::vector<FormulaVariable> variables;
  std::vector<std::vector<double>> columns(names.size());
  std::vector<double> now(names.size());
  for (std::size_t k = 0; k < names.size(); ++k) {
    const std::string& name = names[k].name;
    const auto constant = numbers.find(name);
    if (constant != numbers.end()) {
      variables.push_back({name, &constant->second});
    } else {
      columns[k] = column_of(name, of, run, where);
      variables.push_back({name, &now[k]});
    }
  }
  Formula formula;
  refuse_formula(where, text, formula.compile(text, variables));
  std::vector<double> out(run.rows.rows());
  for (std::size_t i = 0; i < out.size(); ++i) {
    for (std::size_t k = 0; k < names.size(); ++k) {
      if (!columns[k].empty()) now[k] = columns[k][i];
    }
    out[i] = formula();
  }
  return out;
}

double read_quantity(const Quantity& q, const Case& of, std::span<const CaseRun> runs,
                     const Numbers& numbers) {
  const CaseRun& run = run_of(q.run, q, runs);
  if (q.how == "differ") return differing(run, run_of(q.what, q, runs));
  if (q.how == "mass" || q.how == "inertia" || q.how == "center") return of_body(q, run);
  if (q.how == "residual") return run.result.largest_residual / run.result.energy_scale;
  if (q.how == "steps") return static_cast<double>(run.result.statistics.counts.steps);
  if (q.how == "count") return static_cast<double>(events_of(q, run).size());
  if (q.how != "event") return of_rows(q, of, run, numbers);
  const std::vector<EngineEvent> found = events_of(q, run);
  const EngineEvent& event = numbered(found, q);
  return q.take == "value" ? event.value : q.take == "impulse" ? event.impulse : event.time;
}

}  // namespace carom::verify
