#include "dyn/blas.h"

#include <stdlib.h>
#include <string.h>

#include "base/cores.h"
#include "base/error.h"

#define FN(need, type, name, arguments)                                                            \
    {#name, offsetof(struct be_host_blas, name), BE_NEED_##need},
static const struct be_symbol blas_symbols[] = {
#include "dyn/blas_list.h"
};
#undef FN

static const char *const blas_files[] = {"libmkl_rt.so.2",    "libopenblas.so.0", "libblis.so.4",
                                         "libflexiblas.so.3", "libblas.so.3",     NULL};

/* A product on all cores, for its threads to begin here: where the environment says one thread
 * (OMP_NUM_THREADS=1 is common on clusters), the others would begin when a pinned thread asks for them,
 * and all share that one's core. */
static void start_threads(const struct be_host_blas *blas) {
    const int64_t n = 256;
    struct be_cores cores;
    double *a = calloc((size_t)(3 * n * n), sizeof *a);
    if (a && be_cores_find(&cores, NULL) == BE_OK && be_host_blas_set_threads(blas, cores.count)) {
        be_host_blas_multiply(blas, true, false, n, n, a, a + n * n, a + 2 * n * n);
    }
    free(a);
}

enum be_status be_host_blas_open(struct be_host_blas *table, struct be_error *error) {
    const char *const named[] = {getenv("BREAKEVEN_BLAS"), NULL};
    const bool asked = named[0] && *named[0];
    const struct be_library library = {asked ? "the BLAS of BREAKEVEN_BLAS" : "a BLAS",
                                       asked ? named : blas_files, NULL, blas_symbols,
                                       BE_COUNT(blas_symbols)};
    struct be_error failure = {0};
    enum be_status status = be_dyn_open(&library, table, &table->handle, &failure);
    if (status != BE_OK) {
        return be_fail(error, status,
                       "%.300s: install OpenBLAS (apt-get install libopenblas0, dnf install "
                       "openblas) or name a library in BREAKEVEN_BLAS",
                       failure.text);
    }
    start_threads(table);
    return BE_OK;
}

void be_host_blas_multiply(const struct be_host_blas *blas, bool wide, bool transposed, int64_t n,
                           int64_t k, const void *a, const void *b, void *c) {
    const char *first = transposed ? "T" : "N";
    const int64_t *rows = transposed ? &k : &n; /* of A as it lies */
    const double one = 1, zero = 0;
    const float one_f = 1, zero_f = 0;
    if (wide) {
        blas->dgemm_(first, "N", &n, &n, &k, &one, a, rows, b, &k, &zero, c, &n);
    } else {
        blas->sgemm_(first, "N", &n, &n, &k, &one_f, a, rows, b, &k, &zero_f, c, &n);
    }
}

bool be_host_blas_set_threads(const struct be_host_blas *blas, int threads) {
    if (blas->MKL_Set_Num_Threads) {
        blas->MKL_Set_Num_Threads(threads);
    } else if (blas->openblas_set_num_threads) {
        blas->openblas_set_num_threads(threads);
    } else if (blas->bli_thread_set_num_threads) {
        blas->bli_thread_set_num_threads(threads);
    } else {
        return false;
    }
    return true;
}

int be_host_blas_info(const int64_t *info) {
    return (int32_t)(uint32_t)(uint64_t)*info; /* no info needs more than 32 bits */
}

void be_host_blas_name(const struct be_host_blas *blas, char *name, size_t room) {
    if (blas->mkl_get_version_string) {
        blas->mkl_get_version_string(name, (int)room);
        name[room - 1] = '\0';
        name[strcspn(name, "\n")] = '\0';
    } else if (blas->openblas_get_config) {
        be_copy_text(name, room, blas->openblas_get_config()); /* "OpenBLAS 0.3.21 DYNAMIC_.." */
        size_t library = strcspn(name, " ");
        name[library + (name[library] ? 1 + strcspn(name + library + 1, " ") : 0)] = '\0';
    } else if (blas->bli_info_get_version_str) {
        snprintf(name, room, "BLIS %s", blas->bli_info_get_version_str());
    } else {
        be_copy_text(name, room, "BLAS");
    }
    for (size_t end = strlen(name); end > 0 && name[end - 1] == ' '; end--) {
        name[end - 1] = '\0';
    }
}
