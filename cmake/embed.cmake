# Device code as C strings. Run as a script (cmake -P) it turns text files, one after the other,
# into one char array; included, it gives be_embed(), which has that done at build time.

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  # NAME: of the array is be_source_NAME; FILES: separated by commas; OUTPUT: the C file
  string(REPLACE "," ";" FILES "${FILES}")
  set(text "")
  foreach(file IN LISTS FILES)
    get_filename_component(base "${file}" NAME)
    file(READ "${file}" part)
    string(APPEND text "#line 1 \"${base}\"\n${part}\n") # so that compilers name the right file
  endforeach()
  string(HEX "${text}" hex)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
  if(bytes MATCHES "0x[89a-f]")
    message(FATAL_ERROR "${NAME}: ${FILES}: device code must be plain ASCII")
  endif()
  string(REPLACE "0x0a," "0x0a,\n" bytes "${bytes}") # a line of source a line
  # An array, not a string literal: those need only be 4095 characters long.
  file(WRITE "${OUTPUT}" "/* Written by cmake/embed.cmake. */\n#include \"kernel_sources.h\"\n\n"
       "const char be_source_${NAME}[] = {\n${bytes}0x00};\n")
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
      COMMAND ${CMAKE_COMMAND} -D NAME=${name} -D FILES=${joined} -D OUTPUT=${source}
              -P ${be_embed_script}
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
