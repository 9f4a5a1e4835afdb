# The library as it is installed: it shows the names that the public headers declare, and no others of ours.

# be_link_whole(TARGET LIBRARY): links all of a static library, used or not. CMake has LINK_LIBRARY:WHOLE_ARCHIVE for it
# from 3.24 on.
function(be_link_whole target library)
  target_link_options(${target} PRIVATE
    LINKER:--whole-archive,$<TARGET_FILE:${library}>,--no-whole-archive)
  target_link_libraries(${target} PRIVATE ${library}) # what it needs, and that it is made first
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS $<TARGET_FILE:${library}>)
endfunction()

# be_public_library(TARGET NAME HEADER...): installs libNAME, shared where BUILD_SHARED_LIBS is on, from all of
# the static library TARGET. Sets PUBLIC_LIBRARY to its file, where names are hidden; public_library makes it.
function(be_public_library target name)
  set(PUBLIC_LIBRARY "" PARENT_SCOPE)
  set(functions "")
  foreach(header IN LISTS ARGN)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
    file(STRINGS ${header} lines REGEX "^[a-z].*be_[a-z0-9_]+\\(")
    list(TRANSFORM lines REPLACE "^[^(]*(be_[a-z0-9_]+)\\(.*" "\\1")
    list(APPEND functions ${lines})
  endforeach()
  list(JOIN functions "\n" names)
  set(folder ${PROJECT_BINARY_DIR}/public)

  if(BUILD_SHARED_LIBS)
    list(JOIN functions ";\n" listed)
    file(CONFIGURE OUTPUT ${folder}/names.map CONTENT "{ global:\n${listed};\nlocal: *; };\n" @ONLY)
    file(CONFIGURE OUTPUT ${folder}/none.c CONTENT "typedef int be_no_code;\n" @ONLY)
    add_library(public_library SHARED ${folder}/none.c)
    be_link_whole(public_library ${target})
    target_link_libraries(public_library PRIVATE settings)
    target_link_options(public_library PRIVATE LINKER:--version-script=${folder}/names.map)
    set_target_properties(public_library PROPERTIES OUTPUT_NAME ${name} VERSION ${PROJECT_VERSION}
      SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} LIBRARY_OUTPUT_DIRECTORY ${folder})
    set_property(TARGET public_library APPEND PROPERTY LINK_DEPENDS ${folder}/names.map)
    install(TARGETS public_library)
    set(PUBLIC_LIBRARY $<TARGET_FILE:public_library> PARENT_SCOPE)
    return()
  endif()

  # Names in code that is yet to be made when linking cannot be hidden in this way, and sanitizers look for theirs.
  if(NOT CMAKE_OBJCOPY OR BREAKEVEN_SANITIZE OR CMAKE_INTERPROCEDURAL_OPTIMIZATION OR
     "${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${type}}" MATCHES "-flto")
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name})
    install(TARGETS ${target})
    add_custom_target(public_library DEPENDS ${target})
    return()
  endif()
  set(library ${folder}/lib${name}.a)
  file(CONFIGURE OUTPUT ${folder}/names.txt CONTENT "${names}\n" @ONLY)
  add_custom_command(OUTPUT ${library}
    COMMAND ${CMAKE_LINKER} -r -o ${name}.o --whole-archive $<TARGET_FILE:${target}>
    COMMAND ${CMAKE_OBJCOPY} --keep-global-symbols=${folder}/names.txt ${name}.o
    COMMAND ${CMAKE_COMMAND} -E rm -f ${library}
    COMMAND ${CMAKE_AR} qc ${library} ${name}.o
    COMMAND ${CMAKE_RANLIB} ${library}
    COMMAND ${CMAKE_COMMAND} -E rm ${name}.o
    DEPENDS ${target} ${folder}/names.txt WORKING_DIRECTORY ${folder} VERBATIM
    COMMENT "Hiding what is not public in lib${name}.a")
  add_custom_target(public_library ALL DEPENDS ${library})
  install(FILES ${library} DESTINATION ${CMAKE_INSTALL_LIBDIR})
  set(PUBLIC_LIBRARY ${library} PARENT_SCOPE)
endfunction()
