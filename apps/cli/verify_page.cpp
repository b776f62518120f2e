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
    "h2{font-size:17px;margin:0}code{white-space:nowrap}svg{max-width:100%;height:auto}a{color:#"
    "1769aa}"
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
  for (const verify::CheckResult& c : r.checks) {
    if (c.recomputed.empty()) out += check_row(c, html_text(c.what));
  }
  out +=
      "<tr><td></td><td colspan=\"6\" class=\"source\">the engine's own figures beside those "
      "recomputed from the rows</td></tr>\n";
  for (const verify::CheckResult& c : r.checks) {
    if (!c.recomputed.empty()) out += check_row(c, html_text(c.what));
  }
  out += "</table>";
  std::vector<viewer::PlotSeries> series;
  for (const verify::Course& c : r.courses)
    series.push_back({c.label, c.unit, c.time, c.values, 0});
  if (!series.empty()) {
    out += viewer::plot_svg(series, {}, {.title = "", .width = 760, .panel_height = 180});
  }
  return out + "</article>\n";
}

/// In how many cases each kind of figure was recomputed, and the worst of it.
std::string recomputed_table(std::span<const verify::CaseResult> results) {
  std::string rows;
  for (const char* kind : {"energy", "forces", "events", "gaps", "states", "impacts"}) {
    std::size_t cases = 0, values = 0;
    const verify::CheckResult* worst = nullptr;
    for (const verify::CaseResult& r : results) {
      bool found = false;
      for (const verify::CheckResult& c : r.checks) {
        if (c.recomputed != kind) continue;
        found = true;
        values += c.values;
        if (!worst || c.error / c.tolerance > worst->error / worst->tolerance) worst = &c;
      }
      cases += found;
    }
    if (!worst) continue;
    rows += fmt::format(
        "<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{:.1e}</td>"
        "<td class=\"n\">{:.0e}</td><td>{}</td></tr>\n",
        kind, cases, values, worst->error, worst->tolerance, margin_bar(*worst));
  }
  if (rows.empty()) return {};
  return "<article><h2>Recomputed from the recorded rows</h2><p class=\"source\">By code that "
         "shares "
         "nothing with the engine's sums, searches and laws.</p><table><tr><th></th><th>cases</th>"
         "<th>values</th><th>worst difference</th><th>tolerance</th><th>share</th></tr>\n" +
         rows + "</table></article>\n";
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
  page += "</table>\n" + recomputed_table(results);
  for (const verify::WorkDiagram& diagram : work) {
    page += "<article><h2>Work and precision: " + html_text(diagram.title) +
            "</h2><p class=\"source\">Every integrator at tolerances of 1e-4 to 1e-10, or steps of "
            "10 to 0.3 ms where they are fixed; left and low is better. Points tell their setting. "
            "<code>carom verify --case " +
            diagram.problem + "</code></p>" + work_precision_svg(diagram) + "</article>\n";
  }
  for (const verify::CaseResult& r : results) page += article(r);
  return page + "</html>\n";
}

}  // namespace carom::cli
