# Installs the build to a folder, moves that, and builds and runs an outside program with
# find_package(carom): the package must be complete and must not depend on where it is.
#   cmake -DBUILD=… -DSOURCE=… -DWORK=… -DGENERATOR=… -P install_test.cmake
set(ENV{DESTDIR} "")
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")

function(run what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${what} failed (${result}):\n${output}")
  endif()
  message("${what}: done")
endfunction()

run("installing" "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${WORK}/made_here")
file(RENAME "${WORK}/made_here" "${WORK}/moved_there")

# Nothing of the build or source folder may be left in what others read.
file(GLOB_RECURSE texts "${WORK}/moved_there/*.cmake" "${WORK}/moved_there/*.h")
foreach(file IN LISTS texts)
  file(READ "${file}" text)
  foreach(folder IN ITEMS "${BUILD}" "${SOURCE}/src" "${WORK}/made_here")
    string(FIND "${text}" "${folder}" place)
    if(NOT place EQUAL -1)
      message(FATAL_ERROR "${file} mentions ${folder}")
    endif()
  endforeach()
endforeach()

run("the installed command" "${WORK}/moved_there/bin/carom" demo pendulum --no-output --until 0.1)
run("configuring" "${CMAKE_COMMAND}" -S "${SOURCE}/tests/install" -B "${WORK}/build" -G "${GENERATOR}"
    "-DCMAKE_PREFIX_PATH=${WORK}/moved_there" -DCMAKE_BUILD_TYPE=Release)
run("building" "${CMAKE_COMMAND}" --build "${WORK}/build")
run("the outside program" "${WORK}/build/consumer")
run("a law of its own" "${WORK}/build/own_law")
file(REMOVE_RECURSE "${WORK}")
