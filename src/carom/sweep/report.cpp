#include "carom/sweep/report.h"

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>

#include "carom/base/text.h"
#include "carom/base/version.h"

namespace carom::sweep {
namespace {

template <class Items, class Text>
std::string json_list(const Items& items, Text text) {
  std::string out;
  for (const auto& item : items) out += (out.empty() ? "" : ", ") + text(item);
  return "[" + out + "]";
}

std::string pair_of(const char* name, const std::string& value) {
  return json_quote(name) + ": " + value;
}

/// Seven digits: more than any screen shows.
std::string short_number(double value) {
  if (!std::isfinite(value)) return "null";
  char text[32];
  std::snprintf(text, sizeof text, "%.7g", value);
  return text;
}

std::string interval(const Interval& i) {
  return "{" + pair_of("value", json_number(i.value)) + ", " + pair_of("low", json_number(i.low)) +
         ", " + pair_of("high", json_number(i.high)) + "}";
}

std::string effect(const Effect& e, Sensitivity::Method method) {
  if (method == Sensitivity::Method::morris) {
    return "{" + pair_of("mu", interval(e.mu)) + ", " + pair_of("mu_star", interval(e.mu_star)) +
           ", " + pair_of("sigma", interval(e.sigma)) + "}";
  }
  std::string out = "{" + pair_of("first", interval(e.first));
  if (method == Sensitivity::Method::blocks) out += ", " + pair_of("total", interval(e.total));
  return out + "}";
}

std::string statistics_json(const ColumnStatistics& s) {
  const std::pair<const char*, double> numbers[] = {
      {"mean", s.mean},     {"sd", s.sd},   {"standard_error", s.standard_error},
      {"min", s.min},       {"q05", s.q05}, {"q25", s.q25},
      {"median", s.median}, {"q75", s.q75}, {"q95", s.q95},
      {"max", s.max}};
  std::string out = "{" + pair_of("count", std::to_string(s.count));
  for (const auto& [name, value] : numbers) {
    out += ", " + pair_of(name, s.count ? json_number(value) : "null");
  }
  return out + ", " +
         pair_of("histogram",
                 json_list(s.histogram, [](std::size_t n) { return std::to_string(n); })) +
         "}";
}

class Report {
 public:
  Report(const Plan& plan, const Table& table, const Analysis& analysis, std::size_t max_points)
      : plan_(plan), table_(table), analysis_(analysis) {
    const std::size_t n = table.rows();
    const std::size_t shown = std::min(n, max_points);
    for (std::size_t i = 0; i < shown; ++i) drawn_.push_back(i * n / shown);
  }

  std::string json() const {
    std::map<std::string, std::size_t> statuses;
    for (const std::string& s : table_.find("status")->texts) ++statuses[s];
    const Study& study = plan_.study();
    const std::string stem = std::filesystem::path(study.file).stem().string();
    std::string out = "{";
    const auto add = [&](const char* name, const std::string& value) {
      out += (out.size() > 1 ? ",\n " : "") + pair_of(name, value);
    };
    add("name", json_quote(study.name.empty() ? stem : study.name));
    add("file", json_quote(std::filesystem::path(study.file).filename().string()));
    add("pages", json_quote(stem + ".pages"));
    add("scene", json_quote(study.scene));
    add("version", json_quote(kVersion));
    add("design", json_quote(to_string(study.design.kind)));
    add("seed", std::to_string(study.design.seed));
    add("rows", std::to_string(table_.rows()));
    std::string counts;
    for (const auto& [name, n] : statuses) {
      counts += (counts.empty() ? "" : ", ") + json_quote(name) + ": " + std::to_string(n);
    }
    add("statuses", "{" + counts + "}");
    add("factors", factors());
    add("columns", columns());
    add("sensitivity", sensitivity());
    add("points", json_list(drawn_, [](std::size_t i) { return std::to_string(i); }));
    add("keys", texts("key"));
    add("status", texts("status"));
    return out + "}\n";
  }

 private:
  std::string texts(const char* name) const {
    const TableColumn& column = *table_.find(name);
    return json_list(drawn_, [&](std::size_t i) { return json_quote(column.texts[i]); });
  }

  std::string factors() const {
    std::vector<std::string> out;
    std::vector<double> point(plan_.design().width());
    std::vector<std::string> values(point.size());
    for (const std::size_t i : drawn_) {
      plan_.design().point(i, point);
      for (std::size_t f = 0; f < point.size(); ++f) {
        values[f] += (values[f].empty() ? "" : ", ") + short_number(point[f]);
      }
    }
    for (std::size_t f = 0; f < point.size(); ++f) {
      const Factor& factor = plan_.study().factors[f];
      const Distribution& d = factor.distribution;
      out.push_back(
          "{" + pair_of("name", json_quote(factor.path)) + ", " +
          pair_of("kind", json_quote(to_string(d.kind))) + ", " +
          (d.is_choice() ? pair_of("choices", json_list(d.choices, json_quote)) + ", " : "") +
          pair_of("values", "[" + values[f] + "]") + "}");
    }
    return json_list(out, [](const std::string& text) { return "\n  " + text; });
  }

  std::string columns() const {
    std::string out;
    std::size_t k = 0;
    for (const TableColumn& c : table_.columns) {
      if (c.group != "record") continue;
      out += (k ? ",\n  " : "\n  ") + ("{" + pair_of("name", json_quote(c.name))) + ", " +
             pair_of("unit", json_quote(c.unit)) + ", " +
             pair_of("statistics", statistics_json(analysis_.statistics[k])) + ", " +
             pair_of("values",
                     json_list(drawn_, [&](std::size_t i) { return short_number(c.numbers[i]); })) +
             "}";
      ++k;
    }
    return "[" + out + "]";
  }

  std::string sensitivity() const {
    const Sensitivity& s = analysis_.sensitivity;
    return "{" + pair_of("method", json_quote(to_string(s.method))) + ", " +
           pair_of("used", std::to_string(s.used)) + ", " +
           pair_of("effects", json_list(s.effects,
                                        [&](const std::vector<Effect>& column) {
                                          return json_list(column, [&](const Effect& e) {
                                            return effect(e, s.method);
                                          });
                                        })) +
           "}";
  }

  const Plan& plan_;
  const Table& table_;
  const Analysis& analysis_;
  std::vector<std::size_t> drawn_;
};

}  // namespace

std::string report_json(const Plan& plan, const Table& table, const Analysis& analysis,
                        std::size_t max_points) {
  return Report(plan, table, analysis, max_points).json();
}

}  // namespace carom::sweep
