/*
 * Libraries and runtimes that a program may have mapped, and the variables by which those with threads of their own
 * are told how many. Pure tables: who maps what is found elsewhere (process/uses.h).
 */
#ifndef BE_OBSERVE_LIBRARIES_H
#define BE_OBSERVE_LIBRARIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One line of libraries.c each, in this order. */
enum be_mapped {
    /* languages */
    BE_LIB_PYTHON,
    BE_LIB_JULIA,
    BE_LIB_MATLAB,
    BE_LIB_R,
    BE_LIB_OCTAVE,
    BE_LIB_JAVA,
    /* frameworks and packages of Python, from here to NumPy */
    BE_LIB_TORCH,
    BE_LIB_JAX,
    BE_LIB_TENSORFLOW,
    BE_LIB_CUPY,
    BE_LIB_NUMBA,
    BE_LIB_SKLEARN,
    BE_LIB_NUMEXPR,
    BE_LIB_POLARS,
    BE_LIB_PANDAS,
    BE_LIB_SCIPY,
    BE_LIB_NUMPY,
    /* linear algebra */
    BE_LIB_MKL,
    BE_LIB_OPENBLAS,
    BE_LIB_BLIS,
    BE_LIB_REFBLAS, /* Netlib's, which is slow */
    /* threads and processes */
    BE_LIB_GOMP,
    BE_LIB_IOMP,
    BE_LIB_OMP,
    BE_LIB_TBB,
    BE_LIB_MPI,
    /* tools that take one core, and have relatives that take more */
    BE_LIB_GZIP,
    BE_LIB_BZIP2,
    BE_LIB_XZ,
    BE_LIB_ZSTD,
    /* GPUs */
    BE_LIB_CUDA,
    BE_LIB_HIP,
    BE_LIBS
};

struct be_library_info {
    const char *word;  /* in files: "openblas" */
    const char *title; /* in sentences: "OpenBLAS" */
};
extern const struct be_library_info be_libraries[BE_LIBS];

/* A set of them: 1 << library each. Without BE_LIBS_KNOWN nobody has looked. */
typedef uint64_t be_library_set;
#define BE_LIBS_KNOWN ((be_library_set)1 << 63)

static inline be_library_set be_library_bit(enum be_mapped library) {
    return (be_library_set)1 << library;
}

/* That of which the mapped file is a part; BE_LIBS: none of them. */
enum be_mapped be_library_of(const char *path);

/* "python numpy openblas"; "none"; "" where nobody has looked. */
enum { BE_LIBRARIES_TEXT = 256 };
const char *be_libraries_write(be_library_set set, char *to, size_t capacity);
/* Words of a later version are passed over. */
be_library_set be_libraries_read(const char *text);

/* ---- how many threads ------------------------------------------------------------------------ */

enum be_thread_setting {
    BE_SET_OMP,
    BE_SET_OPENBLAS,
    BE_SET_GOTO,
    BE_SET_MKL,
    BE_SET_BLIS,
    BE_SET_NUMBA,
    BE_SET_NUMEXPR,
    BE_SET_POLARS,
    BE_SET_JULIA,
    BE_SETTINGS
};
extern const char *const be_thread_settings[BE_SETTINGS]; /* "OMP_NUM_THREADS" */

/* The value of each; 0: it is not set, or not to a number. */
struct be_settings {
    int threads[BE_SETTINGS];
};

/* "OMP_NUM_THREADS=2 MKL_NUM_THREADS=1"; "" where none is set. */
const char *be_settings_write(const struct be_settings *settings, char *to, size_t capacity);
struct be_settings be_settings_read(const char *text);

#endif
