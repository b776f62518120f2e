# Writes the page of a study as a C++ string, in pieces that every compiler takes.
file(READ "${PAGE}" text)
string(LENGTH "${text}" length)
set(pieces "")
set(at 0)
while(at LESS length)
  string(SUBSTRING "${text}" ${at} 12000 piece)
  string(APPEND pieces "    R\"carom~page(${piece})carom~page\"\n")
  math(EXPR at "${at} + 12000")
endwhile()
file(WRITE "${OUT}" "// Generated from apps/viewer/sweep.
#include <string_view>

namespace carom::viewer {
namespace {
constexpr char kSweepPage[] =
${pieces};
}

std::string_view sweep_template() { return {kSweepPage, sizeof kSweepPage - 1}; }

}  // namespace carom::viewer
")
