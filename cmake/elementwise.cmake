# What the host makes of each src/workload/NAME/element.cl: loops of the CPU (be_NAME_float and be_NAME_double, once
# for each instruction set) and the kernel as host C (be_NAME_host, be_NAME_host64).

# be_elementwise_sources(OUTPUT_FOLDER FILE...): writes a C file for each of both types of both; sets
# be_elementwise_simd to those for be_simd_variants() and be_elementwise_host to those compiled once.
function(be_elementwise_sources output)
  set(simd "")
  set(host "")
  foreach(file IN LISTS ARGN)
    get_filename_component(place ${file} DIRECTORY)
    get_filename_component(name ${place} NAME)
    foreach(type float double)
      set(defines "#define ELEMENT_FILE \"workload/${name}/element.cl\"\n#define ELEMENT_KERNEL k_${name}\n")
      set(suffix "")
      if(type STREQUAL double)
        string(APPEND defines "#define BE_REAL64 1\n")
        set(suffix 64)
      endif()
      string(APPEND defines "#define ELEMENT_LOOP be_${name}_${type}\n#define ELEMENT_HOST be_${name}_host${suffix}\n")
      foreach(kind simd host)
        set(source ${output}/workload/${name}/element_${name}_${type}_${kind}.c)
        file(CONFIGURE OUTPUT ${source} @ONLY CONTENT
             "/* Written by cmake/elementwise.cmake. */\n${defines}#include \"workload/elementwise_source.h\"\n")
        list(APPEND ${kind} ${source})
      endforeach()
    endforeach()
  endforeach()
  set(be_elementwise_simd ${simd} PARENT_SCOPE)
  set(be_elementwise_host ${host} PARENT_SCOPE)
endfunction()
