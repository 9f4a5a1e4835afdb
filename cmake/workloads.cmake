# The list of built-in workloads: each folder of src/workload with a file of its own name defines one.

# be_list_workloads(OUTPUT_FOLDER FOLDER): writes builtin/workload_list.c, the table be_workloads, and workload_list.h, which
# declares each; sets be_workload_names.
function(be_list_workloads output folder)
  file(GLOB folders CONFIGURE_DEPENDS LIST_DIRECTORIES true ${folder}/*)
  set(names "")
  set(declared "")
  set(listed "")
  foreach(place IN LISTS folders)
    get_filename_component(name ${place} NAME)
    if(EXISTS ${place}/${name}.c)
      list(APPEND names ${name})
      string(APPEND declared "extern const struct be_workload be_workload_${name};\n")
      string(APPEND listed "    &be_workload_${name},\n")
    endif()
  endforeach()
  file(CONFIGURE OUTPUT ${output}/workload_list.h @ONLY CONTENT
"/* Written by cmake/workloads.cmake: the built-in workloads by name. */
#ifndef BE_WORKLOAD_LIST_H
#define BE_WORKLOAD_LIST_H

#include \"workload/workload.h\"

${declared}
#endif
")
  file(CONFIGURE OUTPUT ${output}/builtin/workload_list.c @ONLY CONTENT
"/* Written by cmake/workloads.cmake. */
#include \"builtin/builtin.h\"

const struct be_workload *const be_workloads[] = {
${listed}    NULL,
};
")
  set(be_workload_names ${names} PARENT_SCOPE)
endfunction()
