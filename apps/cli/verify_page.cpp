#include "verify_page.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "viewer/plot.h"
#include "work_precision_page.h"

namespace carom::cli {
namespace {

std::string html_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    c == '<' ? out += "&lt;" : c == '&' ? out += "&amp;" : out += c;
  }
  return out;
}

constexpr const char* kHead =
    "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" "
    "content=\"width=device-width, initial-scale=1\"><title>Carom: verification</title><style>"
    "body{font:15px/1.5 system-ui,\"DejaVu Sans\",sans-serif;margin:0 auto;max-width:1100px;"
    "padding:0 20px 60px;background:#eef1f4;color:#1f262e}h1{font-size:22px;margin:28px 0 4px}"
    "table{border-collapse:collapse;width:100%;font-size:13px;background:#fff}"
    "th,td{padding:4px 8px;text-align:left;border-bottom:1px solid #dde3e8}"
    "td.n{font-variant-numeric:tabular-nums;text-align:right;white-space:nowrap}"
    ".pass{color:#1a7f37}.fail{color:#c62828;font-weight:700}"
    ".bar{background:#dde3e8;width:90px;height:8px;border-radius:4px;display:inline-block}"
    ".bar i{display:block;height:8px;border-radius:4px;background:#1769aa}"
    "article{background:#fff;border-radius:14px;padding:16px 20px;margin:18px 0;overflow:auto}"
    "h2{font-size:17px;margin:0}svg{max-width:100%;height:auto}a{color:#1769aa}"
    ".source{color:#66717d;font-size:13px}</style>\n";

/// How much of the tolerance is used, as a bar on a logarithmic scale: full at the limit,
/// empty a million times below.
std::string margin_bar(const verify::CheckResult& c) {
  const double share = c.error > 0.0 ? 1.0 + std::log10(c.error / c.tolerance) / 6.0 : 0.0;
  return fmt::format("<span class=\"bar\"><i style=\"width:{:.0f}%\"></i></span>",
                     100.0 * std::clamp(share, 0.0, 1.0));
}

std::string check_row(const verify::CheckResult& c, const std::string& first) {
  return fmt::format(
      "<tr><td class=\"{0}\">{0}</td><td>{1}</td><td class=\"n\">{2:.10g}</td><td class=\"n\">"
      "{3:.10g}</td><td class=\"n\">{4:.1e}</td><td class=\"n\">{5:.0e}{6}</td><td>{7}</td></tr>\n",
      c.passed ? "pass" : "fail", first, c.expected, c.computed, c.error, c.tolerance,
      c.relative ? " rel." : "", margin_bar(c));
}

constexpr const char* kColumns =
    "<th>expected</th><th>computed</th><th>error</th><th>tolerance</th><th>error/tolerance</th>"
    "</tr>\n";

std::string article(const verify::CaseResult& r) {
  std::string out = fmt::format(
      "<article id=\"{0}\"><h2>{1}</h2><p class=\"source\"><code>carom verify --case {0}</code>. "
      "Source: {2}</p>",
      r.name, html_text(r.title), html_text(r.source));
  if (!r.failure.empty()) out += "<p class=\"fail\">" + html_text(r.failure) + "</p>";
  out += std::string("<table><tr><th></th><th>quantity</th>") + kColumns;
  for (const verify::CheckResult& c : r.checks) out += check_row(c, html_text(c.what));
  out += "</table>";
  std::vector<viewer::PlotSeries> series;
  for (const verify::Course& c : r.courses)
    series.push_back({c.label, c.unit, c.time, c.values, 0});
  if (!series.empty()) {
    out += viewer::plot_svg(series, {}, {.title = "", .width = 760, .panel_height = 180});
  }
  return out + "</article>\n";
}

}  // namespace

std::string verification_page(std::span<const verify::CaseResult> results,
                              std::span<const verify::WorkDiagram> work) {
  std::size_t passed = 0;
  for (const verify::CaseResult& r : results) passed += r.passed;
  std::string page = kHead;
  page += fmt::format(
      "<h1>Verification: {} of {} cases pass</h1><p>Each row shows the quantity "
      "that is nearest to its tolerance; bars are logarithmic, full at the limit, "
      "empty at a millionth of it.</p>\n<table><tr><th></th><th>case</th>",
      passed, results.size());
  page += kColumns;
  for (const verify::CaseResult& r : results) {
    const std::string link = "<a href=\"#" + r.name + "\">" + html_text(r.title) + "</a>";
    const verify::CheckResult* worst = r.worst();
    page += worst ? check_row(*worst, link)
                  : "<tr><td class=\"fail\">fail</td><td>" + link + "</td></tr>\n";
  }
  page += "</table>\n";
  for (const verify::WorkDiagram& diagram : work) {
    page += "<article><h2>Work and precision: " + diagram.problem + "</h2>" +
            work_precision_svg(diagram) + "</article>\n";
  }
  for (const verify::CaseResult& r : results) page += article(r);
  return page + "</html>\n";
}

}  // namespace carom::cli
