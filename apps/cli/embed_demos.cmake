# Writes a table of all demo scenes as raw string literals.
set(rows "")
foreach(file IN LISTS FILES)
  get_filename_component(name "${file}" NAME_WE)
  file(READ "${file}" text)
  string(APPEND rows "    {\"${name}\", R\"scene(${text})scene\"},\n")
endforeach()
file(WRITE "${OUT}" "// Generated from examples/*.yaml.
#include \"demos.h\"

namespace carom::cli {
namespace {
constexpr Demo kDemos[] = {
${rows}};
}

std::span<const Demo> demos() { return kDemos; }

}  // namespace carom::cli
")
