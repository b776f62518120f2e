#include "carom/sweep/report.h"

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>

#include "carom/base/json.h"
#include "carom/base/version.h"

namespace carom::sweep {
namespace {

/// Seven digits: more than any screen shows.
std::string short_number(double value) {
  if (!std::isfinite(value)) return "null";
  char text[32];
  std::snprintf(text, sizeof text, "%.7g", value);
  return text;
}

std::string interval(const Interval& i) {
  return JsonObject().number("value", i.value).number("low", i.low).number("high", i.high).str();
}

std::string effect(const Effect& e, Sensitivity::Method method) {
  JsonObject out;
  if (method == Sensitivity::Method::morris) {
    out.put("mu", interval(e.mu)).put("mu_star", interval(e.mu_star));
    return out.put("sigma", interval(e.sigma)).str();
  }
  out.put("first", interval(e.first));
  if (method == Sensitivity::Method::blocks) out.put("total", interval(e.total));
  return out.str();
}

std::string counts_json(const std::vector<std::size_t>& counts) {
  return json_list(counts, [](std::size_t n) { return std::to_string(n); });
}

std::string statistics_json(const ColumnStatistics& s) {
  const std::pair<const char*, double> numbers[] = {
      {"mean", s.mean},     {"sd", s.sd},   {"standard_error", s.standard_error},
      {"min", s.min},       {"q05", s.q05}, {"q25", s.q25},
      {"median", s.median}, {"q75", s.q75}, {"q95", s.q95},
      {"max", s.max}};
  JsonObject out;
  out.count("count", s.count);
  for (const auto& [name, value] : numbers) {
    out.put(name, s.count ? json_number(value) : "null");
  }
  const auto text = [](std::size_t n) { return std::to_string(n); };
  return out.put("histogram", json_list(s.histogram, text)).str();
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
    JsonObject counts;
    for (const auto& [name, n] : statuses) counts.count(name, n);
    JsonObject out;
    out.text("name", study.name.empty() ? stem : study.name);
    out.line(1).text("file", std::filesystem::path(study.file).filename().string());
    out.line(1).text("pages", stem + ".pages");
    out.line(1).text("scene", study.scene);
    out.line(1).text("version", kVersion);
    out.line(1).text("design", to_string(study.design.kind));
    out.line(1).count("seed", study.design.seed);
    out.line(1).count("rows", table_.rows());
    out.line(1).put("statuses", counts.str());
    out.line(1).put("factors", factors());
    out.line(1).put("columns", columns());
    out.line(1).put("sensitivity", sensitivity());
    out.line(1).put("points", counts_json(drawn_));
    out.line(1).put("keys", texts("key"));
    out.line(1).put("status", texts("status"));
    return out.str() + "\n";
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
      JsonObject described;
      described.text("name", factor.path).text("kind", to_string(d.kind));
      if (d.is_choice()) described.put("choices", json_texts(d.choices));
      out.push_back(described.put("values", "[" + values[f] + "]").str());
    }
    return json_list(out, [](const std::string& text) { return "\n  " + text; });
  }

  std::string columns() const {
    std::vector<std::string> out;
    for (const TableColumn& c : table_.columns) {
      if (c.group != "record") continue;
      const auto value = [&](std::size_t i) { return short_number(c.numbers[i]); };
      JsonObject described;
      described.text("name", c.name).text("unit", c.unit);
      described.put("statistics", statistics_json(analysis_.statistics[out.size()]));
      out.push_back(described.put("values", json_list(drawn_, value)).str());
    }
    return json_list(
        out, [](const std::string& text) { return "\n  " + text; }, ",");
  }

  std::string sensitivity() const {
    const Sensitivity& s = analysis_.sensitivity;
    const auto column = [&](const std::vector<Effect>& effects) {
      return json_list(effects, [&](const Effect& e) { return effect(e, s.method); });
    };
    return JsonObject()
        .text("method", to_string(s.method))
        .count("used", s.used)
        .put("effects", json_list(s.effects, column))
        .str();
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
