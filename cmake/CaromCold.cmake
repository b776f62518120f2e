# carom_cold(target)
#
# Optimises a target less than the rest: front ends and tests, whose own code takes no noticeable
# time while a run lasts. They are two thirds of the sources, full of templates of CLI11, pybind11
# and GoogleTest, and a third of their compile time goes into optimising those.
#
# Not -O0: the linker keeps one copy of a function that several files compile, and it may be this one.
function(carom_cold target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()
