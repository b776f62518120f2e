# Writes a page as a C++ function that returns it, in pieces that every compiler takes.
#   cmake -DPAGE=<html> -DOUT=<cpp> -DNAME=<function> -P embed_page.cmake
file(READ "${PAGE}" text)
string(LENGTH "${text}" length)
set(pieces "")
set(at 0)
while(at LESS length)
  string(SUBSTRING "${text}" ${at} 12000 piece)
  string(APPEND pieces "    R\"carom~page(${piece})carom~page\"\n")
  math(EXPR at "${at} + 12000")
endwhile()
file(WRITE "${OUT}" "// Generated from a page of apps/viewer.
#include \"viewer/page_template.h\"

namespace carom::viewer {
namespace {
constexpr char k_${NAME}[] =
${pieces};
}

std::string_view ${NAME}() { return {k_${NAME}, sizeof k_${NAME} - 1}; }

}  // namespace carom::viewer
")
