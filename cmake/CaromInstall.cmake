# `cmake --install`: headers, libraries, the command, and a package for find_package(carom).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

get_property(modules GLOBAL PROPERTY CAROM_MODULES)
add_library(carom_all INTERFACE)
add_library(carom::carom ALIAS carom_all)
set_target_properties(carom_all PROPERTIES EXPORT_NAME carom)
target_link_libraries(carom_all INTERFACE ${modules})

install(TARGETS carom_all carom_options ${modules} EXPORT caromTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
# Headers that speak of outside libraries stay inside (tests/structure/modules_test.py).
install(DIRECTORY src/carom DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h"
        PATTERN "integrate/sundials" EXCLUDE)
install(TARGETS carom_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(EXPORT caromTargets NAMESPACE carom:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/carom)
configure_package_config_file(cmake/caromConfig.cmake.in "${CMAKE_CURRENT_BINARY_DIR}/caromConfig.cmake"
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/carom)
write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/caromConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/caromConfig.cmake"
              "${CMAKE_CURRENT_BINARY_DIR}/caromConfigVersion.cmake"
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/carom)
