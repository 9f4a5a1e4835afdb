-- Lmod; environment modules of Tcl read breakeven.tcl. Put it beside the folder of `make install PREFIX=/opt/breakeven/0.1.0`
-- as .../modulefiles/breakeven/0.1.0.lua, and name the folder here.
local prefix = "/opt/breakeven/0.1.0"

help([[breakeven: is this computation worth a GPU? `breakeven --help` lists its commands, `man breakeven` all.]])
whatis("Name: breakeven")
whatis("Description: is this computation worth a GPU?")

prepend_path("PATH", pathJoin(prefix, "bin"))
prepend_path("PKG_CONFIG_PATH", pathJoin(prefix, "lib/pkgconfig"))
prepend_path("CMAKE_PREFIX_PATH", prefix)
prepend_path("FPATH", pathJoin(prefix, "share/zsh/site-functions"))
