# carom_catalogue(module folder ROW type PREFIX prefix HEADER header)
#
# Lists a catalogue folder into a table. Every file <folder>/<name>.cpp defines
# `extern const <type> <prefix>_<name>`; this writes a source file with
#     std::span<const <type>* const> <prefix>_catalogue();
# which <header> declares. No static initialisers, no registry: adding a row is
# adding a file.
function(carom_catalogue module folder)
  cmake_parse_arguments(ARG "" "ROW;PREFIX;HEADER" "" ${ARGN})
  file(GLOB files CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${module}/${folder}/*.cpp")
  set(declarations "")
  set(rows "")
  foreach(file IN LISTS files)
    get_filename_component(row "${file}" NAME_WE)
    string(APPEND declarations "extern const ${ARG_ROW} ${ARG_PREFIX}_${row};\n")
    string(APPEND rows "    &${ARG_PREFIX}_${row},\n")
  endforeach()
  set(out "${CMAKE_CURRENT_BINARY_DIR}/${module}_${ARG_PREFIX}_catalogue.cpp")
  file(CONFIGURE OUTPUT "${out}" @ONLY CONTENT
"// Generated from the files in ${module}/${folder}.
#include \"${ARG_HEADER}\"

namespace carom {
${declarations}
namespace {
constexpr const ${ARG_ROW}* kRows[] = {
${rows}};
}

std::span<const ${ARG_ROW}* const> ${ARG_PREFIX}_catalogue() { return kRows; }

}  // namespace carom
")
  # Rows name their functions alike, so each is compiled alone (carom_together).
  set_source_files_properties(${files} "${out}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  target_sources(carom_${module} PRIVATE "${out}")
endfunction()
