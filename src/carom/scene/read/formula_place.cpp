#include "carom/scene/read/formula_place.h"

#include <algorithm>

namespace carom {
namespace {

/// Byte of the text as written that is byte `at` of the formula, which lacks '=' and every '$'.
std::size_t written_at(const std::string& text, std::size_t at) {
  std::size_t i = !text.empty() && text[0] == '=' ? 1 : 0;
  for (; i < text.size(); ++i) {
    if (text[i] == '$') continue;
    if (at-- == 0) return i;
  }
  return text.size();
}

/// Line `number` of `text`, counted from 1.
std::string_view line_of(std::string_view text, int number) {
  for (int i = 1; i < number; ++i) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  return text.substr(0, std::min(text.find('\n'), text.size()));
}

}  // namespace

Mark formula_mark(const Document& document, const Node& node, std::size_t at) {
  const std::size_t written = written_at(node.text, at);
  Mark mark = node.where;
  // Only the text of the main file is kept; of others the place on one line is certain.
  const std::size_t break_before =
      written == 0 ? std::string::npos : node.text.rfind('\n', written - 1);
  const std::size_t begin = break_before == std::string::npos ? 0 : break_before + 1;
  if (document.text.empty() || mark.file != 0) {
    if (begin == 0 && node.text.find('\n') == std::string::npos) {
      mark.column += static_cast<int>(written) + (node.quoted ? 1 : 0);
    }
    return mark;
  }
  // The line of the scalar that holds the character, looked for from where the scalar begins.
  const std::string_view wanted(node.text.data() + begin,
                                std::min(node.text.find('\n', begin), node.text.size()) - begin);
  const auto skipped = static_cast<int>(
      std::count(node.text.begin(), node.text.begin() + static_cast<std::ptrdiff_t>(begin), '\n'));
  for (const int down : {0, skipped + 1}) {  // on the line itself, or in a block below '|'
    const std::string_view line = line_of(document.text, node.where.line + down);
    const auto from = down == 0 ? static_cast<std::size_t>(std::max(0, node.where.column - 1)) : 0;
    const std::size_t found = from <= line.size() ? line.find(wanted, from) : std::string::npos;
    if (found == std::string::npos || (down == 0 && found > from + 1)) continue;
    mark.line = node.where.line + down;
    mark.column = static_cast<int>(found + written - begin) + 1;
    return mark;
  }
  return mark;
}

void report_formula(const Document& document, const Node& node, const std::string& message,
                    const FormulaError& error, const std::string& remedy, Diagnostics& out) {
  out.error(document.position(formula_mark(document, node, error.at)),
            message + ": " + error.message, remedy,
            show_formula_place(node.text, written_at(node.text, error.at)));
}

}  // namespace carom
