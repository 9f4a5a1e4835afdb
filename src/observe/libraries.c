/* Mapped files -> libraries, and the words for both. */
#include "observe/libraries.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

const struct be_library_info be_libraries[BE_LIBS] = {
    [BE_LIB_PYTHON] = {"python", "Python"},
    [BE_LIB_JULIA] = {"julia", "Julia"},
    [BE_LIB_MATLAB] = {"matlab", "MATLAB"},
    [BE_LIB_R] = {"r", "R"},
    [BE_LIB_OCTAVE] = {"octave", "Octave"},
    [BE_LIB_JAVA] = {"java", "Java"},
    [BE_LIB_TORCH] = {"torch", "PyTorch"},
    [BE_LIB_JAX] = {"jax", "JAX"},
    [BE_LIB_TENSORFLOW] = {"tensorflow", "TensorFlow"},
    [BE_LIB_CUPY] = {"cupy", "CuPy"},
    [BE_LIB_NUMBA] = {"numba", "Numba"},
    [BE_LIB_SKLEARN] = {"sklearn", "scikit-learn"},
    [BE_LIB_NUMEXPR] = {"numexpr", "NumExpr"},
    [BE_LIB_POLARS] = {"polars", "Polars"},
    [BE_LIB_PANDAS] = {"pandas", "pandas"},
    [BE_LIB_SCIPY] = {"scipy", "SciPy"},
    [BE_LIB_NUMPY] = {"numpy", "NumPy"},
    [BE_LIB_MKL] = {"mkl", "MKL"},
    [BE_LIB_OPENBLAS] = {"openblas", "OpenBLAS"},
    [BE_LIB_BLIS] = {"blis", "BLIS"},
    [BE_LIB_REFBLAS] = {"refblas", "the reference BLAS"},
    [BE_LIB_GOMP] = {"gomp", "OpenMP (libgomp)"},
    [BE_LIB_IOMP] = {"iomp", "OpenMP (libiomp5)"},
    [BE_LIB_OMP] = {"omp", "OpenMP (libomp)"},
    [BE_LIB_TBB] = {"tbb", "TBB"},
    [BE_LIB_MPI] = {"mpi", "MPI"},
    [BE_LIB_GZIP] = {"gzip", "gzip"},
    [BE_LIB_BZIP2] = {"bzip2", "bzip2"},
    [BE_LIB_XZ] = {"xz", "xz"},
    [BE_LIB_ZSTD] = {"zstd", "zstd"},
    [BE_LIB_CUDA] = {"cuda", "CUDA"},
    [BE_LIB_HIP] = {"hip", "HIP"},
};

/* ---- mapped files ------------------------------------------------------------------------------ */

/* A file belongs where its name begins so and no letter or digit of a longer name follows, in a folder of that name
 * where one is given. Names as the projects' own packages have them; wheels append a hash to those that they bring
 * along ("libgomp-a34b3233.so.1", "libscipy_openblas64_-56d6093b.so"). */
static const struct {
    const char *begin, *folder; /* NULL: any */
    enum be_mapped library;
} files[] = {
    /* CPython's own build (Makefile.pre.in): the interpreter, and its library where it is shared */
    {"python", NULL, BE_LIB_PYTHON},
    {"libpython", NULL, BE_LIB_PYTHON},
    {"pypy", NULL, BE_LIB_PYTHON}, /* PyPy's packages */
    {"libpypy", NULL, BE_LIB_PYTHON},
    {"libjulia", NULL, BE_LIB_JULIA},  /* Julia's lib folder, with libjulia-internal and -codegen */
    {"libmwmcr", NULL, BE_LIB_MATLAB}, /* MATLAB's bin/glnxa64, and the MATLAB Runtime's */
    {"libmwm_", NULL, BE_LIB_MATLAB},
    {"libmwservices", NULL, BE_LIB_MATLAB},
    {"libR", NULL, BE_LIB_R},              /* R's lib folder; where R is built without it ... */
    {"R", "/R/bin/exec/", BE_LIB_R},       /* ... the program itself */
    {"liboctinterp", NULL, BE_LIB_OCTAVE}, /* Octave's lib folder */
    {"liboctave", NULL, BE_LIB_OCTAVE},
    {"libjvm", NULL, BE_LIB_JAVA}, /* OpenJDK's lib/server */
    /* wheels and packages of conda: torch/lib */
    {"libtorch", NULL, BE_LIB_TORCH},
    {"libtorch_", NULL, BE_LIB_TORCH},
    {"libjax_", "/jaxlib/", BE_LIB_JAX}, /* since jaxlib 0.6; before: */
    {"xla_extension", "/jaxlib/", BE_LIB_JAX},
    {"_jax", "/jaxlib/", BE_LIB_JAX},
    {"libtensorflow", NULL, BE_LIB_TENSORFLOW},
    {"libtensorflow_", NULL, BE_LIB_TENSORFLOW},
    {"_pywrap_tensorflow", NULL, BE_LIB_TENSORFLOW},
    {"_pywrap_tensorflow_", NULL, BE_LIB_TENSORFLOW},
    {"core", "/cupy/_core/", BE_LIB_CUPY},
    {"_dispatcher", "/numba/", BE_LIB_NUMBA},
    {"", "/sklearn/", BE_LIB_SKLEARN},
    {"interpreter", "/numexpr/", BE_LIB_NUMEXPR},
    {"polars", "/polars/", BE_LIB_POLARS},
    {"", "/_polars_runtime", BE_LIB_POLARS}, /* since Polars 1.35 */
    {"", "/pandas/_libs/", BE_LIB_PANDAS},
    {"", "/scipy/", BE_LIB_SCIPY},
    {"_multiarray_umath", NULL, BE_LIB_NUMPY}, /* in core, since NumPy 2 in _core */
    {"libmkl_", NULL, BE_LIB_MKL},             /* oneMKL's link line advisor */
    {"libopenblas", NULL, BE_LIB_OPENBLAS},
    {"libopenblas64_", NULL, BE_LIB_OPENBLAS},
    {"libopenblasp", NULL, BE_LIB_OPENBLAS},
    {"libscipy_openblas", NULL, BE_LIB_OPENBLAS}, /* wheels of NumPy and SciPy */
    {"libscipy_openblas64_", NULL, BE_LIB_OPENBLAS},
    {"libblis", NULL, BE_LIB_BLIS},
    /* Packages of fast ones bring a file of the plain name in a folder of their own (Debian), which loads them. */
    {"libblas", "/openblas", BE_LIB_OPENBLAS},
    {"libblas", "/blis", BE_LIB_BLIS},
    {"libblas", "/atlas", BE_LIBS},
    {"libblas", "/mkl", BE_LIB_MKL},
    {"libblas", NULL, BE_LIB_REFBLAS}, /* Netlib's own makefile, Debian, Fedora, Arch */
    {"libgomp", NULL, BE_LIB_GOMP},
    {"libiomp", NULL, BE_LIB_IOMP},
    {"libomp", NULL, BE_LIB_OMP},
    {"libtbb", NULL, BE_LIB_TBB},
    {"libmpi", NULL, BE_LIB_MPI},   /* Open MPI, Intel MPI */
    {"libmpich", NULL, BE_LIB_MPI}, /* MPICH and what is made of it (Cray, MVAPICH) */
    {"libmpi_", NULL, BE_LIB_MPI},
    /* programs, and not the libraries of the same names */
    {"gzip", "/bin/", BE_LIB_GZIP},
    {"bzip2", "/bin/", BE_LIB_BZIP2},
    {"xz", "/bin/", BE_LIB_XZ},
    {"zstd", "/bin/", BE_LIB_ZSTD},
    {"libcuda", NULL, BE_LIB_CUDA}, /* the driver's: whoever uses a GPU of NVIDIA has it */
    {"libamdhip", NULL, BE_LIB_HIP},
};

/* "python3.11" and "libomp5.so" are, "python.data", "pythonista" and "libompi.so" are not. A beginning that ends
 * in "_" or is empty is no whole word. */
static bool is_of(const char *name, const char *begin) {
    size_t length = strlen(begin);
    bool open = length == 0 || begin[length - 1] == '_';
    if (strncmp(name, begin, length) != 0) {
        return false;
    }
    const char *rest = name + length;
    if (!strstr(rest, ".so")) { /* a program, with its version */
        const char *end = rest + strspn(rest, "0123456789.dm");
        return !open && (*end == '\0' || strcmp(end, " (deleted)") == 0);
    }
    return open || !(isalpha((unsigned char)rest[0]) || rest[0] == '_');
}

enum be_mapped be_library_of(const char *path) {
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    for (size_t i = 0; i < BE_COUNT(files); i++) {
        if (is_of(name, files[i].begin) && (!files[i].folder || strstr(path, files[i].folder))) {
            return files[i].library;
        }
    }
    return BE_LIBS;
}

/* ---- texts --------------------------------------------------------------------------------------- */

static void append(char *to, size_t capacity, const char *word) {
    size_t length = strlen(to);
    snprintf(to + length, capacity - length, "%s%s", length ? " " : "", word);
}

const char *be_libraries_write(be_library_set set, char *to, size_t capacity) {
    to[0] = '\0';
    for (int i = 0; i < BE_LIBS; i++) {
        if (set & be_library_bit((enum be_mapped)i)) {
            append(to, capacity, be_libraries[i].word);
        }
    }
    if (!to[0] && set & BE_LIBS_KNOWN) {
        append(to, capacity, "none");
    }
    return to;
}

/* Where the word stands in a list of words; NULL: it does not. */
static const char *find_word(const char *text, const char *word) {
    size_t length = strlen(word);
    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word)) {
        bool ends = at[length] == '\0' || at[length] == ' ' || at[length] == '=';
        if (ends && (at == text || at[-1] == ' ')) {
            return at;
        }
    }
    return NULL;
}

be_library_set be_libraries_read(const char *text) {
    be_library_set set = text[0] ? BE_LIBS_KNOWN : 0;
    for (int i = 0; i < BE_LIBS; i++) {
        set |= find_word(text, be_libraries[i].word) ? be_library_bit((enum be_mapped)i) : 0;
    }
    return set;
}

/* ---- how many threads ------------------------------------------------------------------------ */

const char *const be_thread_settings[BE_SETTINGS] = {
    [BE_SET_OMP] = "OMP_NUM_THREADS",         [BE_SET_OPENBLAS] = "OPENBLAS_NUM_THREADS",
    [BE_SET_GOTO] = "GOTO_NUM_THREADS",       [BE_SET_MKL] = "MKL_NUM_THREADS",
    [BE_SET_BLIS] = "BLIS_NUM_THREADS",       [BE_SET_NUMBA] = "NUMBA_NUM_THREADS",
    [BE_SET_NUMEXPR] = "NUMEXPR_NUM_THREADS", [BE_SET_POLARS] = "POLARS_MAX_THREADS",
    [BE_SET_JULIA] = "JULIA_NUM_THREADS",
};

const char *be_settings_write(const struct be_settings *settings, char *to, size_t capacity) {
    to[0] = '\0';
    for (int i = 0; i < BE_SETTINGS; i++) {
        char one[64];
        if (settings->threads[i] > 0) {
            snprintf(one, sizeof one, "%s=%d", be_thread_settings[i], settings->threads[i]);
            append(to, capacity, one);
        }
    }
    return to;
}

/* The first of "4,2", threads within threads; none of "auto". */
struct be_settings be_settings_read(const char *text) {
    struct be_settings settings = {0};
    for (int i = 0; i < BE_SETTINGS; i++) {
        const char *at = find_word(text, be_thread_settings[i]);
        const char *value = at ? at + strlen(be_thread_settings[i]) : "";
        long threads = value[0] == '=' ? strtol(value + 1, NULL, 10) : 0;
        settings.threads[i] = threads > 0 && threads < INT_MAX ? (int)threads : 0;
    }
    return settings;
}
