# Writes tables of all verification cases and of the mesh files they name. Adjacent raw string
# literals, because compilers bound the length of one.
function(literal text tag out)
  string(LENGTH "${text}" length)
  set(result "")
  set(start 0)
  while(start LESS length)
    string(SUBSTRING "${text}" ${start} 12000 piece)
    string(APPEND result "R\"${tag}(${piece})${tag}\"\n")
    math(EXPR start "${start} + 12000")
  endwhile()
  set(${out} "${result}" PARENT_SCOPE)
endfunction()

set(rows "")
foreach(file IN LISTS FILES)
  get_filename_component(name "${file}" NAME_WE)
  file(READ "${file}" text)
  literal("${text}" case body)
  string(APPEND rows "    {\"${name}\", ${body}},\n")
endforeach()
set(mesh_rows "")
foreach(file IN LISTS MESHES)
  get_filename_component(name "${file}" NAME)
  file(READ "${file}" text)
  literal("${text}" mesh body)
  string(APPEND mesh_rows "      {\"meshes/${name}\", ${body}},\n")
endforeach()
file(WRITE "${OUT}" "// Generated from verification/*.yaml and verification/meshes.
#include \"carom/verify/case.h\"

namespace carom::verify {
namespace {
constexpr CarriedCase kCases[] = {
${rows}};
}

std::span<const CarriedCase> carried_cases() { return kCases; }

const std::vector<CarriedFile>& carried_meshes() {
  static const std::vector<CarriedFile> files{
${mesh_rows}  };
  return files;
}

}  // namespace carom::verify
")
