# Device code and the live page as C strings. Run as a script (cmake -P) it turns a text file into a char array;
# included, it gives be_embed_programs() and be_embed_page(), which have that done at build time.

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  cmake_minimum_required(VERSION 3.20)
  # ARRAY: its name; FILE; OUTPUT: the C file; HEADER: what it includes; AS_IS: the array alone. Else it is device code,
  # whose compilers get one text and are to be told of each file that is in it: SOURCES: where "folder/name.h" is looked
  # for; PROGRAM: the program's name; HOST: its kernels as host C, none where empty

  # Appends `file` to the text, once, with what it includes where it does: no compiler of devices is given files.
  # dialect.h includes C headers for the host alone, and is taken as it stands.
  function(be_append file)
    get_property(seen GLOBAL PROPERTY be_seen)
    if(file IN_LIST seen)
      return()
    endif()
    set_property(GLOBAL APPEND PROPERTY be_seen ${file})
    get_filename_component(folder ${file} DIRECTORY)
    file(RELATIVE_PATH name ${SOURCES} ${file})
    file(READ ${file} rest)
    set(line 1)
    set_property(GLOBAL APPEND_STRING PROPERTY be_text "#line 1 \"${name}\"\n")
    while(NOT name MATCHES "dialect[.]h$" AND rest MATCHES "\n#include \"([^\"\n]+)\"\n")
      set(included ${CMAKE_MATCH_1})
      string(FIND "${rest}" "\n#include \"" at)
      math(EXPR at "${at} + 1")
      string(SUBSTRING "${rest}" 0 ${at} before)
      string(SUBSTRING "${rest}" ${at} -1 rest)
      string(FIND "${rest}" "\n" end)
      math(EXPR end "${end} + 1")
      string(SUBSTRING "${rest}" ${end} -1 rest)
      set_property(GLOBAL APPEND_STRING PROPERTY be_text "${before}")
      string(REGEX REPLACE "[^\n]" "" newlines "${before}")
      string(LENGTH "${newlines}" lines)
      math(EXPR line "${line} + ${lines} + 1")
      if(EXISTS ${folder}/${included})
        be_append(${folder}/${included})
      else()
        be_append(${SOURCES}/${included})
      endif()
      set_property(GLOBAL APPEND_STRING PROPERTY be_text "#line ${line} \"${name}\"\n")
      string(PREPEND rest "\n") # so that an include on the next line begins behind an end of line too
      math(EXPR line "${line} - 1")
    endwhile()
    set_property(GLOBAL APPEND_STRING PROPERTY be_text "${rest}\n")
  endfunction()

  if(AS_IS)
    file(READ "${FILE}" text)
  else()
    be_append(${FILE})
    get_property(text GLOBAL PROPERTY be_text)
  endif()
  string(HEX "${text}" hex)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
  if(bytes MATCHES "0x[89a-f]")
    message(FATAL_ERROR "${FILE}: must be plain ASCII")
  endif()
  string(REPLACE "0x0a," "0x0a,\n" bytes "${bytes}") # a line of source a line
  # An array, not a string literal: those need only be 4095 characters long.
  set(head "/* Written by cmake/embed.cmake. */\n#include \"${HEADER}\"\n\n")
  if(AS_IS)
    file(WRITE "${OUTPUT}" "${head}const char ${ARRAY}[] = {\n${bytes}0x00};\n")
    return()
  endif()
  string(APPEND head "#include <stddef.h>\n\n")
  if(NOT HOST)
    set(HOST none)
    string(APPEND head "static const struct be_host_kernel none[] = {{NULL, NULL}};\n\n")
  endif()
  file(WRITE "${OUTPUT}" "${head}static const char source[] = {\n${bytes}0x00};\n\n"
       "const struct be_program be_program_${PROGRAM} = {\n"
       "    .name = \"${PROGRAM}\", .source = source, .host = ${HOST}, .host64 = ${HOST64}};\n")
  return()
endif()

set(be_embed_script ${CMAKE_CURRENT_LIST_FILE})

# be_embed_programs(OUTPUT_FOLDER SOURCES FILE.cl...)
# Each file is a program: src/workload/solve/tall.cl is `solve_tall`, one that is called as its folder has that
# name alone or `element`, and one that lies directly in a room the file's. NAME_host.c beside it, if there is one,
# has its kernels as host C (be_NAME_host); those of element.cl cmake/elementwise.cmake makes, in both types. Each becomes a
# C file of its own, in the folder of OUTPUT_FOLDER that it has in SOURCES. Writes kernel_programs.h with
# be_program_NAME for each, and be_programs for all; sets be_embed_sources to the C files to compile and be_embed_names to
# NAME=FILE for each. be_programs stands in kernel_programs.c, which no room may use: for tests.
function(be_embed_programs output folder)
  set(sources "")
  set(names "")
  set(hosts "")
  set(declared "")
  set(listed "")
  foreach(file IN LISTS ARGN)
    get_filename_component(stem ${file} NAME_WE)
    get_filename_component(place ${file} DIRECTORY)
    file(RELATIVE_PATH inside ${folder} ${place})
    get_filename_component(last ${place} NAME)
    if(NOT inside MATCHES "/")
      set(name ${stem})
    elseif(stem STREQUAL last OR stem STREQUAL element)
      set(name ${last})
    else()
      set(name ${last}_${stem})
    endif()
    list(APPEND names ${name}=${file})
    set(host "")
    set(host64 NULL)
    if(stem STREQUAL element)
      set(host64 be_${name}_host64)
      string(APPEND hosts "extern const struct be_host_kernel ${host64}[];\n")
    endif()
    if(EXISTS ${place}/${stem}_host.c OR stem STREQUAL element)
      set(host be_${name}_host)
      string(APPEND hosts "extern const struct be_host_kernel ${host}[];\n")
    endif()
    string(APPEND declared "extern const struct be_program be_program_${name};\n")
    string(APPEND listed "    &be_program_${name},\n")
    set(source ${output}/${inside}/${stem}_program.c)
    file(MAKE_DIRECTORY ${output}/${inside})
    file(GLOB near CONFIGURE_DEPENDS ${place}/*.h ${place}/*.cl ${folder}/kernels/*.h
         ${folder}/workload/elementwise_kernel.h)
    add_custom_command(OUTPUT ${source}
      COMMAND ${CMAKE_COMMAND} -D PROGRAM=${name} -D HOST=${host} -D HOST64=${host64} -D FILE=${file} -D OUTPUT=${source}
              -D HEADER=kernel_programs.h -D SOURCES=${folder} -P ${be_embed_script}
      DEPENDS ${near} ${be_embed_script} VERBATIM COMMENT "Embedding ${name}")
    list(APPEND sources ${source})
  endforeach()
  file(CONFIGURE OUTPUT ${output}/kernel_programs.h @ONLY CONTENT
"/* Written by cmake/embed.cmake: the device programs, one a file NAME.cl, and their kernels as host C. */
#ifndef BE_KERNEL_PROGRAMS_H
#define BE_KERNEL_PROGRAMS_H

#include \"kernels/host.h\"

${hosts}${declared}
/* All of them, NULL-terminated. */
extern const struct be_program *const be_programs[];

#endif
")
  file(CONFIGURE OUTPUT ${output}/kernel_programs.c @ONLY CONTENT
"/* Written by cmake/embed.cmake. */
#include \"kernel_programs.h\"

#include <stddef.h>

const struct be_program *const be_programs[] = {
${listed}    NULL};
")
  set(be_embed_sources ${sources} PARENT_SCOPE)
  set(be_embed_names ${names} PARENT_SCOPE)
endfunction()

# be_embed_text(OUTPUT FILE ARRAY HEADER)
# Has OUTPUT, a C file, written with the text of FILE as the array that HEADER declares.
function(be_embed_text output file array header)
  get_filename_component(folder ${output} DIRECTORY)
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -D ARRAY=${array} -D FILE=${file} -D OUTPUT=${output} -D HEADER=${header} -D AS_IS=ON
            -P ${be_embed_script}
    DEPENDS ${file} ${be_embed_script} VERBATIM COMMENT "Embedding ${array}")
endfunction()

# be_embed_page(OUTPUT_FOLDER SOURCE_FOLDER file...)
# Writes page_sources.h with an array be_page_NAME_SUFFIX for each file NAME.SUFFIX, and sets
# be_embed_page_sources to the C files to compile.
function(be_embed_page output folder)
  set(declarations "")
  set(sources "")
  file(MAKE_DIRECTORY ${output}/report/live/page)
  foreach(file IN LISTS ARGN)
    string(MAKE_C_IDENTIFIER ${file} name)
    set(source ${output}/report/live/page/${name}.c)
    add_custom_command(OUTPUT ${source}
      COMMAND ${CMAKE_COMMAND} -D ARRAY=be_page_${name} -D FILE=${folder}/${file}
              -D OUTPUT=${source} -D HEADER=page_sources.h -D AS_IS=ON -P ${be_embed_script}
      DEPENDS ${folder}/${file} ${be_embed_script} VERBATIM COMMENT "Embedding ${file}")
    list(APPEND sources ${source})
    string(APPEND declarations "extern const char be_page_${name}[];\n")
  endforeach()
  file(CONFIGURE OUTPUT ${output}/page_sources.h @ONLY CONTENT
"/* Written by cmake/embed.cmake: the files of the live page, 0-terminated. */
#ifndef BE_PAGE_SOURCES_H
#define BE_PAGE_SOURCES_H

${declarations}
#endif
")
  set(be_embed_page_sources ${sources} PARENT_SCOPE)
endfunction()
