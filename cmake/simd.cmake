# One source file, compiled once for each instruction set. Which one runs is chosen at run time.

include(CheckCSourceCompiles)

# With sanitizers less is optimized: the checks are the same. Where it takes most (workload/solve/simd.c), GCC 12 takes
# 101 s with -O3, 15 s with -O1 and 6 s with -Og.
set(level -O3)
if(BREAKEVEN_SANITIZE)
  set(level -Og)
endif()
# No contraction: error-free sums depend on products that are not fused unasked.
set(be_simd_flags ${level} -ffp-contract=off -fopenmp-simd -fno-math-errno -fno-trapping-math)

check_c_source_compiles("#ifndef __x86_64__\n#error\n#endif\nint main(void) { return 0; }" BE_X86_64)
set(be_simd_levels plain)
if(BE_X86_64)
  set(be_simd_levels plain v3 v4)
endif()

# Half of what a compiler does for this program is code for three instruction sets. Who wants an answer for the
# machine at hand needs one of them. Tests want all.
set(BREAKEVEN_SIMD all CACHE STRING "Instruction sets of x86-64: \"all\", or \"here\" for that of this machine alone")
set(BE_SIMD_ONLY "")
set(be_simd_said "")
if(BREAKEVEN_SIMD STREQUAL here AND BE_X86_64 AND NOT BREAKEVEN_TESTS AND NOT CMAKE_CROSSCOMPILING)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/cpu_level_here.c @ONLY CONTENT
       "#include \"host/cpu_level.c\"\nint main(void) { return be_cpu_level(); }\n")
  try_run(BE_CPU_LEVEL_HERE BE_CPU_LEVEL_COMPILED ${PROJECT_BINARY_DIR} ${PROJECT_BINARY_DIR}/cpu_level_here.c
          CMAKE_FLAGS -DINCLUDE_DIRECTORIES=${PROJECT_SOURCE_DIR}/src)
  set(BE_SIMD_ONLY plain)
  if(BE_CPU_LEVEL_HERE MATCHES "^[34]$")
    set(BE_SIMD_ONLY v${BE_CPU_LEVEL_HERE})
  endif()
  set(be_simd_levels ${BE_SIMD_ONLY})
  set(be_simd_said " ${BE_SIMD_ONLY} alone")
endif()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/host/simd_built.h @ONLY CONTENT
     "/* Written by cmake/simd.cmake. */\n#cmakedefine BE_SIMD_ONLY @BE_SIMD_ONLY@\n")

# be_simd_variants(TARGET SOURCE [FLAG...]): SOURCE joins TARGET compiled with BE_SIMD defined as each of
# be_simd_levels; further arguments are more flags.
function(be_simd_variants target source)
  set(flags_plain "")
  set(flags_v3 -march=x86-64-v3)
  set(flags_v4 -march=x86-64-v4 -mprefer-vector-width=512)
  file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR}/src ${source})
  string(REGEX REPLACE "^.*[.][.]/.*/" "" name ${name}) # what the build writes goes by its own name
  string(REGEX REPLACE "[.]c$" "" name ${name})
  string(REPLACE "/" "_" name ${name})
  foreach(variant IN LISTS be_simd_levels)
    set(object ${name}_${variant})
    add_library(${object} OBJECT ${source})
    target_compile_options(${object} PRIVATE ${be_simd_flags} ${flags_${variant}} ${ARGN})
    target_compile_definitions(${object} PRIVATE BE_SIMD=${variant})
    target_link_libraries(${object} PRIVATE settings)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${object}>)
  endforeach()
endfunction()
