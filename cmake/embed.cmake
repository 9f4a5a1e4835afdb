# Device code and the live page as C strings. Run as a script (cmake -P) it turns text files, one after
# the other, into one char array; included, it gives be_embed() and be_embed_page(), which have that
# done at build time.

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  # ARRAY: its name; FILES: separated by commas; OUTPUT: the C file; HEADER: declares the array;
  # AS_IS: not device code, whose compilers are to be told of each file
  string(REPLACE "," ";" FILES "${FILES}")
  set(text "")
  foreach(file IN LISTS FILES)
    get_filename_component(base "${file}" NAME)
    file(READ "${file}" part)
    if(NOT AS_IS)
      string(PREPEND part "#line 1 \"${base}\"\n") # so that compilers name the right file
      string(APPEND part "\n")
    endif()
    string(APPEND text "${part}")
  endforeach()
  string(HEX "${text}" hex)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
  if(bytes MATCHES "0x[89a-f]")
    message(FATAL_ERROR "${FILES}: must be plain ASCII")
  endif()
  string(REPLACE "0x0a," "0x0a,\n" bytes "${bytes}") # a line of source a line
  # An array, not a string literal: those need only be 4095 characters long.
  file(WRITE "${OUTPUT}" "/* Written by cmake/embed.cmake. */\n#include \"${HEADER}\"\n\n"
       "const char ${ARRAY}[] = {\n${bytes}0x00};\n")
  return()
endif()

set(be_embed_script ${CMAKE_CURRENT_LIST_FILE})

# be_embed(OUTPUT_FOLDER SOURCE_FOLDER PROGRAM name file... PROGRAM name file...)
# Writes kernel_sources.h, and sets be_embed_sources to the C files to compile.
function(be_embed output folder)
  set(declarations "")
  set(sources "")
  string(REGEX REPLACE "(^|;)PROGRAM;" "|" programs "${ARGN}")
  string(REGEX REPLACE "^\\|" "" programs "${programs}")
  string(REPLACE ";" "," programs "${programs}")
  string(REPLACE "|" ";" programs "${programs}")
  foreach(program IN LISTS programs)
    string(REPLACE "," ";" files "${program}")
    list(POP_FRONT files name)
    list(TRANSFORM files PREPEND ${folder}/)
    string(REPLACE ";" "," joined "${files}")
    set(source ${output}/kernel_source_${name}.c)
    add_custom_command(OUTPUT ${source}
      COMMAND ${CMAKE_COMMAND} -D ARRAY=be_source_${name} -D FILES=${joined} -D OUTPUT=${source}
              -D HEADER=kernel_sources.h -P ${be_embed_script}
      DEPENDS ${files} ${be_embed_script} VERBATIM COMMENT "Embedding ${name}")
    list(APPEND sources ${source})
    string(APPEND declarations "extern const char be_source_${name}[];\n")
  endforeach()
  file(CONFIGURE OUTPUT ${output}/kernel_sources.h @ONLY CONTENT
"/* Written by cmake/embed.cmake: device code, 0-terminated, dialect.h and all in it. */
#ifndef BE_KERNEL_SOURCES_H
#define BE_KERNEL_SOURCES_H

${declarations}
#endif
")
  set(be_embed_sources ${sources} PARENT_SCOPE)
endfunction()

# be_embed_page(OUTPUT_FOLDER SOURCE_FOLDER file...)
# Writes page_sources.h with an array be_page_NAME_SUFFIX for each file NAME.SUFFIX, and sets
# be_embed_page_sources to the C files to compile.
function(be_embed_page output folder)
  set(declarations "")
  set(sources "")
  foreach(file IN LISTS ARGN)
    string(MAKE_C_IDENTIFIER ${file} name)
    set(source ${output}/page_source_${name}.c)
    add_custom_command(OUTPUT ${source}
      COMMAND ${CMAKE_COMMAND} -D ARRAY=be_page_${name} -D FILES=${folder}/${file}
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
