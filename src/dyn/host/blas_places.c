#include "dyn/host/blas_places.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "dyn/host/blas.h"

#define FN(need, type, name, arguments)                                                            \
    {#name, offsetof(struct be_host_blas, name), BE_NEED_##need},
static const struct be_symbol plain_symbols[] = {
#include "dyn/host/blas_list.h"
};
#undef FN

/* As the OpenBLAS in wheels of NumPy has them, with integers of 64 bits. */
#define FN(need, type, name, arguments)                                                            \
    {"scipy_" #name "64_", offsetof(struct be_host_blas, name), BE_NEED_##need},
static const struct be_symbol wheel_symbols[] = {
#include "dyn/host/blas_list.h"
};
#undef FN

#define PLAIN(what, files, folders)                                                                \
    { what, files, folders, plain_symbols, BE_COUNT(plain_symbols) }

static const char *const no_files[] = {NULL};

static const char *const openblas_files[] = {"libopenblas.so.0", NULL};
static const char *const openblas_folders[] = {"$OPENBLAS_ROOT/lib", "$OPENBLAS_DIR/lib",
                                               "$EBROOTOPENBLAS/lib", "$CONDA_PREFIX/lib", NULL};

static const char *const mkl_files[] = {"libmkl_rt.so.3", "libmkl_rt.so.2", "libmkl_rt.so.1",
                                        "libmkl_rt.so", NULL};
static const char *const mkl_folders[] = {"$MKLROOT/lib",
                                          "$MKLROOT/lib/intel64",
                                          "$VIRTUAL_ENV/lib",
                                          "$CONDA_PREFIX/lib",
                                          "/opt/intel/oneapi/mkl/latest/lib",
                                          "/opt/intel/oneapi/mkl/latest/lib/intel64",
                                          NULL};

/* From 5.1 on AOCL has one file for BLIS, libFLAME and more; before it BLIS is alone. */
static const char *const aocl_files[] = {"libaocl.so", "libblis-mt.so.5", "libblis-mt.so.4",
                                         "libblis-mt.so", NULL};
static const char *const aocl_folders[] = {"$AOCL_ROOT/lib", "$AOCLROOT/lib", NULL};

static const char *const blis_files[] = {"libblis.so.4", NULL};

/* Its LAPACK brings its BLAS. */
static const char *const nvpl_files[] = {"libnvpl_lapack_lp64_gomp.so.0",
                                         "libnvpl_blas_lp64_gomp.so.0", NULL};
static const char *const nvpl_folders[] = {"$NVPL_ROOT/lib", NULL};

static const char *const system_files[] = {"libflexiblas.so.3", "libblas.so.3", NULL};

#define WHEEL "/lib/python3*/site-packages/numpy.libs/libscipy_openblas64_*.so"
static const char *const wheel_patterns[] = {"$VIRTUAL_ENV" WHEEL, "$CONDA_PREFIX" WHEEL,
                                             "$HOME/.local" WHEEL, NULL};

const struct be_blas_place be_blas_place[] = {
    {.word = "openblas",
     .library = PLAIN("OpenBLAS", openblas_files, openblas_folders),
     .by_processor = true},
    {.word = "numpy",
     .library = {"NumPy's OpenBLAS", no_files, NULL, wheel_symbols, BE_COUNT(wheel_symbols)},
     .pattern = wheel_patterns,
     .by_processor = true},
    {.word = "mkl", .library = PLAIN("oneMKL", mkl_files, mkl_folders)},
    {.word = "aocl", .library = PLAIN("AOCL", aocl_files, aocl_folders)},
    {.word = "blis", .library = PLAIN("BLIS", blis_files, NULL)},
    {.word = "nvpl", .library = PLAIN("NVPL", nvpl_files, nvpl_folders)},
    {.word = "system",
     .library = PLAIN("the system's BLAS", system_files, NULL),
     .by_processor = true,
     .last = true},
};
const size_t be_blas_places = BE_COUNT(be_blas_place);

/* "$HOME/x*" -> the first file of that name; false: there is none. */
static bool find_file(const char *pattern, char *path, size_t capacity) {
    char variable[BE_NAME];
    char whole[1024];
    glob_t found = {0};
    const size_t length = strcspn(pattern, "/");
    be_copy_text(variable, length < sizeof variable ? length : sizeof variable, pattern + 1);
    const char *value = getenv(variable);
    if (!value || !*value ||
        (size_t)snprintf(whole, sizeof whole, "%s%s", value, pattern + length) >= sizeof whole) {
        return false;
    }
    const bool any = glob(whole, 0, NULL, &found) == 0 && found.gl_pathc > 0;
    if (any) {
        be_copy_text(path, capacity, found.gl_pathv[0]);
    }
    globfree(&found);
    return any;
}

struct be_blas_place be_blas_place_here(const struct be_blas_place *place,
                                        struct be_blas_room *room) {
    struct be_blas_place here = *place;
    *room = (struct be_blas_room){0};
    for (const char *const *p = place->pattern; p && *p && !room->file[0]; p++) {
        if (find_file(*p, room->path, sizeof room->path)) {
            room->file[0] = room->path;
        }
    }
    if (room->file[0]) {
        here.library.file = room->file;
    }
    return here;
}

struct be_blas_place be_blas_place_of(const char *const *file) {
    const bool wheel = strstr(*file, "libscipy_openblas64") != NULL;
    return (struct be_blas_place){
        .word = "",
        .library = {"the BLAS asked for", file, NULL, wheel ? wheel_symbols : plain_symbols,
                    wheel ? BE_COUNT(wheel_symbols) : BE_COUNT(plain_symbols)},
        .by_processor = strstr(*file, "mkl") == NULL}; /* that one cannot be loaded for a look */
}
