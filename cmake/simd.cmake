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

# be_simd_variants(TARGET SOURCE [FLAG...]): SOURCE joins TARGET compiled with BE_SIMD defined as plain and,
# on x86-64, as v3 and v4; further arguments are more flags.
function(be_simd_variants target source)
  set(variants plain)
  set(flags_plain "")
  check_c_source_compiles("#ifndef __x86_64__\n#error\n#endif\nint main(void) { return 0; }"
                          BE_X86_64)
  if(BE_X86_64)
    list(APPEND variants v3 v4)
    set(flags_v3 -march=x86-64-v3)
    set(flags_v4 -march=x86-64-v4 -mprefer-vector-width=512)
  endif()
  file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR}/src ${source})
  string(REGEX REPLACE "^.*[.][.]/.*/" "" name ${name}) # what the build writes goes by its own name
  string(REGEX REPLACE "[.]c$" "" name ${name})
  string(REPLACE "/" "_" name ${name})
  foreach(variant IN LISTS variants)
    set(object ${name}_${variant})
    add_library(${object} OBJECT ${source})
    target_compile_options(${object} PRIVATE ${be_simd_flags} ${flags_${variant}} ${ARGN})
    target_compile_definitions(${object} PRIVATE BE_SIMD=${variant})
    target_link_libraries(${object} PRIVATE settings)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${object}>)
  endforeach()
endfunction()
