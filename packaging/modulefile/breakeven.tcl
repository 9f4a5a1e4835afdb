#%Module1.0
# Environment modules, and Lmod. Its own folder is that of `make install PREFIX=/opt/breakeven/0.1.0`: name it here.
set prefix /opt/breakeven/0.1.0

proc ModulesHelp { } {
    puts stderr "breakeven: is this computation worth a GPU? `breakeven --help` lists its commands, `man breakeven` all."
}
module-whatis "is this computation worth a GPU?"

prepend-path PATH $prefix/bin
prepend-path PKG_CONFIG_PATH $prefix/lib/pkgconfig
prepend-path CMAKE_PREFIX_PATH $prefix
prepend-path FPATH $prefix/share/zsh/site-functions
