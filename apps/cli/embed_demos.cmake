# Writes tables of all demo scenes and of the mesh files they name, as raw string literals, and
# of the demos' pictures, which the assembler takes in as they are.
set(rows "")
set(pictures "")
set(symbols "")
foreach(file IN LISTS FILES)
  get_filename_component(name "${file}" NAME_WE)
  file(READ "${file}" text)
  set(picture "${PICTURES}/demo_${name}.jpg")
  set(view "{}")
  if(EXISTS "${picture}")
    string(APPEND pictures
           "    \"carom_picture_${name}: .incbin \\\"${picture}\\\"\\n\"\n"
           "    \"carom_picture_end_${name}: .byte 0\\n\"\n")
    string(APPEND symbols
           "extern const char carom_picture_${name}[], carom_picture_end_${name}[];\n")
    set(view "between(carom_picture_${name}, carom_picture_end_${name})")
  endif()
  string(APPEND rows "      {\"${name}\", R\"scene(${text})scene\", ${view}},\n")
endforeach()
set(mesh_rows "")
foreach(file IN LISTS MESHES)
  get_filename_component(name "${file}" NAME)
  file(READ "${file}" text)
  string(APPEND mesh_rows "      {\"meshes/${name}\", R\"mesh(${text})mesh\"},\n")
endforeach()
file(WRITE "${OUT}" "// Generated from examples/*.yaml, examples/meshes and docs/pictures.
#include \"demos.h\"

__asm__(
    \".pushsection .rodata\\n\"
${pictures}    \".popsection\\n\");

extern \"C\" {
${symbols}}

namespace carom::cli {
namespace {
std::string_view between(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}
}  // namespace

std::span<const Demo> demos() {
  static const Demo all[] = {
${rows}  };
  return all;
}

const std::vector<CarriedFile>& demo_files() {
  static const std::vector<CarriedFile> files{
${mesh_rows}  };
  return files;
}

}  // namespace carom::cli
")
