# Packages of what is installed, by CPack: `make package`, packaging/README.md.

# A folder of programs that needs nothing but the C library of its system: other libraries lie beside it.
option(BREAKEVEN_BUNDLE "Install the libraries that the program needs beside it" OFF)
if(BREAKEVEN_BUNDLE)
  set_target_properties(breakeven PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}/breakeven")
  install(CODE "
    file(GET_RUNTIME_DEPENDENCIES EXECUTABLES \"$<TARGET_FILE:breakeven>\"
      RESOLVED_DEPENDENCIES_VAR found PRE_EXCLUDE_REGEXES \"^(lib(c|m|pthread|dl|rt)|ld-linux.*)\\\\.so\")
    foreach(library IN LISTS found)
      file(INSTALL \${library} FOLLOW_SYMLINK_CHAIN
        DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/breakeven\")
    endforeach()")
endif()

set(CPACK_PACKAGE_NAME breakeven)
set(CPACK_PACKAGE_VENDOR "breakeven")
set(CPACK_PACKAGE_CONTACT "the maintainers of breakeven <maintainers@breakeven.invalid>" CACHE STRING
    "Who answers for a package")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Is this computation worth a GPU?")
set(CPACK_PACKAGE_DESCRIPTION "breakeven runs the same computation on the CPU and on each GPU, over sizes
and placements of the data, and says from which size the GPU stays ahead.
It watches any program, forecasts waits of batch jobs, and writes and
checks job scripts. No vendor's SDK is needed.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_SOURCE_DIR}/dist)
set(CPACK_SYSTEM_NAME linux-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libopenblas0, libfftw3-single3")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libhwloc-dev, libcjson-dev, zlib1g-dev, liblzma-dev, libzstd-dev") # to link the static library

set(CPACK_RPM_FILE_NAME RPM-DEFAULT)
set(CPACK_RPM_PACKAGE_LICENSE Apache-2.0)
set(CPACK_RPM_PACKAGE_GROUP "Applications/Engineering")
set(CPACK_RPM_PACKAGE_SUGGESTS "openblas, fftw-libs-single")
# Folders that belong to others.
set(CPACK_RPM_EXCLUDE_FROM_AUTO_FILELIST_ADDITION /usr/lib64/pkgconfig /usr/lib64/cmake /usr/share/man
    /usr/share/man/man1 /usr/share/bash-completion /usr/share/bash-completion/completions /usr/share/zsh
    /usr/share/zsh/site-functions /usr/share/fish /usr/share/fish/vendor_completions.d)
include(CPack)
