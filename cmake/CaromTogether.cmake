# carom_together(target [COUNT])
#
# Compiles a target's sources eight, or COUNT, to a translation unit. Most of the compile time of the scene,
# the engine, the apps and the tests goes into reading the same headers again for every file; read
# once for eight files, a full build takes less than half the time. Not for the catalogues: their
# rows name their functions alike on purpose, and their headers are light.
#
# CAROM_TOGETHER=OFF compiles each file alone, for quicker rebuilds while editing one.
option(CAROM_TOGETHER "compile several sources in one translation unit" ON)

function(carom_together target)
  set(count 8)
  if(ARGC GREATER 1)
    set(count "${ARGV1}")
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${CAROM_TOGETHER} UNITY_BUILD_BATCH_SIZE ${count})
endfunction()
