# Writes the built page as a C++ string, in pieces that every compiler takes.
file(READ "${PAGE}" text)
string(LENGTH "${text}" length)
set(pieces "")
set(at 0)
while(at LESS length)
  string(SUBSTRING "${text}" ${at} 16000 piece)
  string(APPEND pieces "    R\"carom~page(${piece})carom~page\"\n")
  math(EXPR at "${at} + 16000")
endwhile()
file(WRITE "${OUT}" "// Generated from apps/viewer/web.
#include \"viewer/page_template.h\"

namespace carom::viewer {
namespace {
constexpr char kPage[] =
${pieces};
}

std::string_view page_template() { return {kPage, sizeof kPage - 1}; }

}  // namespace carom::viewer
")
