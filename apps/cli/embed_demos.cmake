# Writes tables of all demo scenes, and of the mesh files they name, as raw string literals.
set(rows "")
foreach(file IN LISTS FILES)
  get_filename_component(name "${file}" NAME_WE)
  file(READ "${file}" text)
  string(APPEND rows "    {\"${name}\", R\"scene(${text})scene\"},\n")
endforeach()
set(mesh_rows "")
foreach(file IN LISTS MESHES)
  get_filename_component(name "${file}" NAME)
  file(READ "${file}" text)
  string(APPEND mesh_rows "      {\"meshes/${name}\", R\"mesh(${text})mesh\"},\n")
endforeach()
file(WRITE "${OUT}" "// Generated from examples/*.yaml and examples/meshes.
#include \"demos.h\"

namespace carom::cli {
namespace {
constexpr Demo kDemos[] = {
${rows}};
}

std::span<const Demo> demos() { return kDemos; }

const std::vector<CarriedFile>& demo_files() {
  static const std::vector<CarriedFile> files{
${mesh_rows}  };
  return files;
}

}  // namespace carom::cli
")
