# Compiler settings for every target of the project.
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE}")
endif()

add_library(carom_options INTERFACE)
# No contraction, no fast-math, no machine-specific code: same input, same bits.
target_compile_options(carom_options INTERFACE -ffp-contract=off)
target_compile_options(carom_options INTERFACE $<BUILD_INTERFACE:-Wall -Wextra -Wpedantic -Wconversion
  -Wshadow -Werror>)
# GCC's -Wconversion does not ask for the sign, and scripts/lint.sh does not either: an Id becomes the
# number that it holds. Pages and cases are carried as literals longer than C++ promises.
target_compile_options(carom_options INTERFACE
  "$<BUILD_INTERFACE:$<$<CXX_COMPILER_ID:Clang>:-Wno-sign-conversion;-Wno-overlength-strings>>")
if(CAROM_SANITIZE STREQUAL "thread")
  # What it inserts hides ranges of values from GCC 12, which then warns of texts that fit.
  target_compile_options(carom_options INTERFACE $<BUILD_INTERFACE:-fsanitize=thread
    -Wno-format-truncation -Wno-maybe-uninitialized>)
  target_link_options(carom_options INTERFACE $<BUILD_INTERFACE:-fsanitize=thread>)
elseif(CAROM_SANITIZE)
  # The checks that it inserts make GCC 12 see uninitialised values in <regex>.
  target_compile_options(carom_options INTERFACE $<BUILD_INTERFACE:-fsanitize=address,undefined
    -fno-sanitize-recover=all -fno-omit-frame-pointer -Wno-maybe-uninitialized>)
  target_link_options(carom_options INTERFACE $<BUILD_INTERFACE:-fsanitize=address,undefined>)
endif()
target_compile_features(carom_options INTERFACE cxx_std_20)
