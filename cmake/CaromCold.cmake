# carom_cold(target [LEVEL])
#
# Optimises a target less than the rest, with LEVEL or -O1: front ends and tests, whose own code
# takes no noticeable time while a run lasts. They are two thirds of the sources, full of templates
# of CLI11, pybind11 and GoogleTest, and a third of their compile time goes into optimising those.
#
# The linker keeps one copy of a function that several files compile, and it may be this one: hence
# -O0 for tests only, whose speed nobody measures.
function(carom_cold target)
  set(level -O1)
  if(ARGC GREATER 1)
    set(level "${ARGV1}")
  endif()
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:${level}>)
endfunction()
