# Spack: put this folder into a repository of packages as packages/breakeven, then `spack install breakeven`.
from spack.package import *


class Breakeven(CMakePackage):
    """Is this computation worth a GPU? Runs the same computation on the CPU and on each GPU, watches any
    program, forecasts waits of batch jobs, writes and checks job scripts."""

    # The address of the repository that you install from: breakeven has no releases yet.
    git = "https://example.invalid/breakeven.git"

    license("Apache-2.0")

    version("main", branch="main")

    variant("shared", default=False, description="Build libbreakeven as a shared library")
    variant("screen", default=True, description="View of a whole screen in `watch`, by ncurses")
    variant("page", default=False, description="Live page of `watch`, by libmicrohttpd")

    depends_on("c", type="build")
    depends_on("cmake@3.20:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("hwloc@2:")
    depends_on("cjson")
    depends_on("zlib-api")
    depends_on("xz")
    depends_on("zstd")
    depends_on("ncurses", when="+screen")
    depends_on("libmicrohttpd", when="+page")

    conflicts("%gcc@:10", msg="gcc 11 or newer is needed")
    conflicts("%clang@:13", msg="clang 14 or newer is needed")

    generator("ninja")

    def cmake_args(self):
        return [
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define_from_variant("BREAKEVEN_SCREEN", "screen"),
            self.define_from_variant("BREAKEVEN_PAGE", "page"),
        ]

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def try_it(self):
        Executable(self.prefix.bin.breakeven)("machines")
