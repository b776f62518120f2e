#include "carom/sweep/point_list.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "carom/scene/read/yaml_loader.h"
#include "carom/scene/values.h"

namespace carom::sweep {
namespace {

struct Cell {
  std::string text;
  int column;  ///< from 1, of its first character
};

/// Cells of a line; quotes keep commas, a doubled quote is one.
std::vector<Cell> cells_of(const std::string& line) {
  std::vector<Cell> cells{{"", 1}};
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"') {
      if (quoted && i + 1 < line.size() && line[i + 1] == '"') {
        cells.back().text += line[++i];
      } else {
        quoted = !quoted;
      }
    } else if (c == ',' && !quoted) {
      cells.push_back({"", static_cast<int>(i) + 2});
    } else {
      cells.back().text += c;
    }
  }
  for (Cell& cell : cells) {
    const auto first = cell.text.find_first_not_of(" \t");
    const auto last = cell.text.find_last_not_of(" \t");
    cell.text = first == std::string::npos ? "" : cell.text.substr(first, last - first + 1);
  }
  return cells;
}

struct Line {
  int number;
  std::vector<Cell> cells;
};

std::vector<Line> lines_of(const std::string& text) {
  std::vector<Line> lines;
  int number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    if (!line.empty() && line.back() == '\r') line.pop_back();
    ++number;
    if (!line.empty() && line[0] != '#') lines.push_back({number, cells_of(line)});
    begin = end + 1;
  }
  return lines;
}

/// Numbers where all are, otherwise the different texts in the order of their appearance.
void fill_column(const std::vector<Line>& lines, std::size_t column, Distribution& d,
                 std::vector<std::vector<double>>& rows) {
  bool numbers = true;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto value = parse_number(lines[i].cells[column].text);
    numbers &= value.has_value() && std::isfinite(*value);
  }
  std::map<std::string, double> index;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::string& text = lines[i].cells[column].text;
    double value = 0.0;
    if (numbers) {
      value = *parse_number(text);
      d.a = i == 1 ? value : std::min(d.a, value);
      d.b = i == 1 ? value : std::max(d.b, value);
    } else {
      d.kind = Distribution::Kind::choice;
      const auto [place, is_new] = index.emplace(text, static_cast<double>(index.size()));
      if (is_new) d.choices.push_back(text);
      value = place->second;
    }
    rows[i - 1].push_back(value);
  }
}

}  // namespace

void read_point_list(const std::string& path, const SourcePos& where, std::vector<Factor>& factors,
                     std::vector<std::vector<double>>& rows, Diagnostics& out) {
  std::string text;
  if (!read_text_file(path, text, out, where)) return;
  const std::vector<Line> lines = lines_of(text);
  if (lines.size() < 2) {
    out.error({path, 1, 1}, "the list has no points",
              "its first line names places of the scene, every other line is a point");
    return;
  }
  const std::size_t width = lines[0].cells.size();
  const int errors = out.error_count();
  for (const Cell& cell : lines[0].cells) {
    const SourcePos here{path, lines[0].number, cell.column};
    if (cell.text.empty()) out.error(here, "a column has no name");
    for (const Factor& f : factors) {
      if (f.path == cell.text) out.error(here, "'" + cell.text + "' is named twice");
    }
    factors.push_back({cell.text, {}, here});
  }
  for (const Line& line : lines) {
    if (line.cells.size() != width) {
      out.error({path, line.number, 1}, "this line has " + std::to_string(line.cells.size()) +
                                            " cells, the first has " + std::to_string(width));
      continue;
    }
    for (const Cell& cell : line.cells) {
      if (cell.text.empty()) out.error({path, line.number, cell.column}, "this cell is empty");
    }
  }
  if (out.error_count() > errors) return;
  rows.resize(lines.size() - 1);
  for (std::size_t c = 0; c < width; ++c) fill_column(lines, c, factors[c].distribution, rows);
}

}  // namespace carom::sweep
