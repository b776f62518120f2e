# carom_module(name USES module… LIBS target…)
#
# One module of the table in docs/architecture.md: a static library of all .cpp
# files below src/carom/<name>. USES are the modules it may include (a test
# checks the includes against the same table); LIBS are outside libraries,
# which stay out of the public headers.
function(carom_module name)
  cmake_parse_arguments(ARG "" "" "USES;LIBS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp")
  add_library(carom_${name} STATIC ${sources})
  add_library(carom::${name} ALIAS carom_${name})
  target_include_directories(carom_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
                                                  $<INSTALL_INTERFACE:include>)
  target_link_libraries(carom_${name} PUBLIC carom_options)
  foreach(used IN LISTS ARG_USES)
    target_link_libraries(carom_${name} PUBLIC carom_${used})
  endforeach()
  target_link_libraries(carom_${name} PRIVATE ${ARG_LIBS})
  set_target_properties(carom_${name} PROPERTIES EXPORT_NAME ${name})
  set_property(GLOBAL APPEND PROPERTY CAROM_MODULES carom_${name})
endfunction()
