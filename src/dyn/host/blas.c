#include "dyn/host/blas.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "host/cores.h"
#include "host/cpu_level.h"
#include "base/error.h"
#include "dyn/host/blas_places.h"

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

/* ---- which code an OpenBLAS takes ---------------------------------------------------------------- */

static const char *const code_variable = "OPENBLAS_CORETYPE";

/* The code that OpenBLAS is asked for where it takes other code than `fine`. Which of two is faster is measured, so a
 * name that is not known here costs a few milliseconds. */
static const struct wanted {
    int level;
    const char *asked, *fine[8];
} wanted_code[] = {
    {4, "SkylakeX", {"SkylakeX", "Cooperlake", "SapphireRapids"}},
    {3, "Haswell", {"Haswell", "Zen", "Excavator", "SkylakeX", "Cooperlake", "SapphireRapids"}},
};

static const char *code_to_try(const char *own) {
    for (size_t i = 0; i < BE_COUNT(wanted_code); i++) {
        const struct wanted *wanted = &wanted_code[i];
        if (be_cpu_level() < wanted->level) {
            continue;
        }
        for (size_t k = 0; k < BE_COUNT(wanted->fine) && wanted->fine[k]; k++) {
            if (strcmp(own, wanted->fine[k]) == 0) {
                return NULL;
            }
        }
        return wanted->asked;
    }
    return NULL;
}

/* Least seconds of a small product on one thread. */
static double product_s(const struct be_host_blas *blas) {
    enum { N = 256, TRIES = 5 };
    struct be_clock clock = be_clock_host();
    double min = HUGE_VAL;
    double *a = calloc(3 * N * N, sizeof *a);
    if (a && be_host_blas_set_threads(blas, 1)) {
        for (int i = 0; i < TRIES; i++) {
            double begun = be_now(&clock);
            be_host_blas_multiply(blas, true, false, N, N, a, a + N * N, a + 2 * N * N);
            min = fmin(min, be_now(&clock) - begun);
        }
    }
    free(a);
    return min;
}

/* It reads the variable as it is loaded, so it is loaded and let go of to see. */
static struct be_blas_code find_code(const struct be_library *library) {
    const double worth = 1.1; /* times as fast: less may be chance */
    struct be_blas_code code = {0};
    struct be_host_blas blas = {0};
    const char *asked = NULL;
    double own_s = HUGE_VAL;
    if (getenv(code_variable) || be_dyn_look(library, &blas, &blas.handle, NULL) != BE_OK) {
        return code;
    }
    if (blas.openblas_get_corename) {
        be_copy_text(code.own, sizeof code.own, blas.openblas_get_corename());
        asked = code_to_try(code.own);
        own_s = asked ? product_s(&blas) : own_s;
    }
    be_dyn_close(blas.handle);
    if (!asked || setenv(code_variable, asked, 1) != 0) {
        return code;
    }
    if (be_dyn_look(library, &blas, &blas.handle, NULL) == BE_OK) {
        code.gain = own_s / product_s(&blas);
        be_dyn_close(blas.handle);
    }
    unsetenv(code_variable);
    if (isfinite(code.gain) && code.gain > worth) {
        be_copy_text(code.asked, sizeof code.asked, asked);
    }
    return code;
}

/* ---- all that are here ----------------------------------------------------------------------------- */

/* Sets a variable for as long as a library is loaded, unless the user has: programs that are started from here have
 * their own. true: it is set now, and unsetenv takes it back. */
static bool lend(const char *variable, const char *value) {
    return *value && !getenv(variable) && setenv(variable, value, 1) == 0;
}

static enum be_status open_one(const struct be_blas_place *place, struct be_host_blas *table,
                               struct be_error *error) {
    static const char *const wait_variable = "KMP_BLOCKTIME";
    const struct be_blas_code code =
        place->by_processor ? find_code(&place->library) : (struct be_blas_code){0};
    const bool told = lend(code_variable, code.asked);
    const bool waits = lend(wait_variable, "1");
    *table = (struct be_host_blas){0};
    const enum be_status status = be_dyn_open(&place->library, table, &table->handle, error);
    if (status == BE_OK) {
        table->code = code;
        start_threads(table);
    }
    if (told) {
        unsetenv(code_variable);
    }
    if (waits) {
        unsetenv(wait_variable);
    }
    return status;
}

static bool is_word(const char *asked) {
    for (size_t i = 0; i < be_blas_places; i++) {
        if (strcmp(be_blas_place[i].word, asked) == 0) {
            return true;
        }
    }
    return false;
}

void be_host_blas_words(char *text, size_t capacity) {
    size_t length = 0;
    *text = '\0';
    for (size_t i = 0; i < be_blas_places && length < capacity; i++) {
        length += (size_t)snprintf(text + length, capacity - length, "%s%s", i ? ", " : "",
                                   be_blas_place[i].word);
    }
}

/* A file that was named by hand. */
static enum be_status open_file(const char *path, struct be_host_blas *table,
                                struct be_error *error) {
    const char *const file[] = {path, NULL};
    const struct be_blas_place place = be_blas_place_of(file);
    return open_one(&place, table, error);
}

static enum be_status open_places(const char *word, struct be_host_blas table[BE_BLAS_MAX],
                                  int *count, struct be_error *error) {
    struct be_error first = {0};
    for (size_t i = 0; i < be_blas_places && *count < BE_BLAS_MAX; i++) {
        struct be_blas_room room;
        struct be_error failure = {0};
        const struct be_blas_place place = be_blas_place_here(&be_blas_place[i], &room);
        const bool wanted = *word ? strcmp(place.word, word) == 0 : !place.last || *count == 0;
        const bool here = wanted && place.library.file[0];
        if (wanted && !here) {
            (void)be_fail(&failure, BE_ABSENT, "%s is not in a Python environment here",
                          place.library.what);
        }
        if (here && open_one(&place, &table[*count], &failure) == BE_OK) {
            ++*count;
        } else if (wanted && !*first.text) {
            first = failure;
        }
    }
    return *count ? BE_OK : be_fail(error, BE_ABSENT, "%.300s", first.text);
}

enum be_status be_host_blas_find(const char *asked, struct be_host_blas table[BE_BLAS_MAX],
                                 int *count, struct be_error *error) {
    const char *variable = getenv("BREAKEVEN_BLAS");
    const char *name = asked ? asked : variable ? variable : "";
    struct be_error failure = {0};
    *count = 0;
    if (*name && !is_word(name)) {
        *count = open_file(name, &table[0], &failure) == BE_OK;
    } else {
        (void)open_places(name, table, count, &failure);
    }
    if (*count == 0) {
        char words[BE_NAME * 2];
        be_host_blas_words(words, sizeof words);
        return be_fail(error, BE_ABSENT,
                       "%.300s: install OpenBLAS (apt-get install libopenblas0, dnf install "
                       "openblas) or name a file, or one of %s, in BREAKEVEN_BLAS",
                       failure.text, words);
    }
    return BE_OK;
}

enum be_status be_host_blas_open(struct be_host_blas *table, struct be_error *error) {
    struct be_host_blas found[BE_BLAS_MAX];
    int count = 0;
    int best = 0;
    double best_s = HUGE_VAL;
    const enum be_status status = be_host_blas_find(NULL, found, &count, error);
    for (int i = 0; i < count && count > 1; i++) {
        const double seconds = product_s(&found[i]);
        best = seconds < best_s ? i : best;
        best_s = fmin(seconds, best_s);
    }
    for (int i = 0; i < count; i++) {
        if (i != best) {
            be_dyn_close(found[i].handle);
        }
    }
    if (status == BE_OK) {
        *table = found[best];
    }
    return status;
}

void be_host_blas_gemm(const struct be_host_blas *blas, const struct be_host_gemm *g) {
    const char *turn_a = g->transpose_a ? "T" : "N";
    const char *turn_b = g->transpose_b ? "T" : "N";
    const float alpha = (float)g->alpha;
    const float beta = (float)g->beta;
    if (g->wide) {
        blas->dgemm_(turn_a, turn_b, &g->m, &g->n, &g->k, &g->alpha, g->a, &g->a_stride, g->b,
                     &g->b_stride, &g->beta, g->c, &g->c_stride);
    } else {
        blas->sgemm_(turn_a, turn_b, &g->m, &g->n, &g->k, &alpha, g->a, &g->a_stride, g->b,
                     &g->b_stride, &beta, g->c, &g->c_stride);
    }
}

/* y = alpha op(M) x + beta y. */
struct gemv {
    const char *turn;
    int64_t rows, columns; /* of M as it lies */
    const void *matrix, *x;
    void *y;
    int64_t stride, x_step, y_step;
};

/* A row of C is a column of C^T = op(B)^T op(A)^T. */
static struct gemv gemv_of(const struct be_host_gemm *g) {
    if (g->n == 1) {
        return (struct gemv){.turn = g->transpose_a ? "T" : "N",
                             .rows = g->transpose_a ? g->k : g->m,
                             .columns = g->transpose_a ? g->m : g->k,
                             .matrix = g->a,
                             .x = g->b,
                             .y = g->c,
                             .stride = g->a_stride,
                             .x_step = g->transpose_b ? g->b_stride : 1,
                             .y_step = 1};
    }
    return (struct gemv){.turn = g->transpose_b ? "N" : "T",
                         .rows = g->transpose_b ? g->n : g->k,
                         .columns = g->transpose_b ? g->k : g->n,
                         .matrix = g->b,
                         .x = g->a,
                         .y = g->c,
                         .stride = g->b_stride,
                         .x_step = g->transpose_a ? 1 : g->a_stride,
                         .y_step = g->c_stride};
}

void be_host_blas_product(const struct be_host_blas *blas, const struct be_host_gemm *g) {
    const struct gemv v = gemv_of(g);
    const float alpha = (float)g->alpha;
    const float beta = (float)g->beta;
    if ((g->n != 1 && g->m != 1) || !(g->wide ? blas->dgemv_ != NULL : blas->sgemv_ != NULL)) {
        be_host_blas_gemm(blas, g);
    } else if (g->wide) {
        blas->dgemv_(v.turn, &v.rows, &v.columns, &g->alpha, v.matrix, &v.stride, v.x, &v.x_step,
                     &g->beta, v.y, &v.y_step);
    } else {
        blas->sgemv_(v.turn, &v.rows, &v.columns, &alpha, v.matrix, &v.stride, v.x, &v.x_step,
                     &beta, v.y, &v.y_step);
    }
}

void be_host_blas_multiply(const struct be_host_blas *blas, bool wide, bool transposed, int64_t n,
                           int64_t k, const void *a, const void *b, void *c) {
    const struct be_host_gemm gemm = {.wide = wide,
                                      .transpose_a = transposed,
                                      .m = n,
                                      .n = n,
                                      .k = k,
                                      .alpha = 1,
                                      .a = a,
                                      .b = b,
                                      .c = c,
                                      .a_stride = transposed ? k : n,
                                      .b_stride = k,
                                      .c_stride = n};
    be_host_blas_gemm(blas, &gemm);
}

bool be_host_blas_set_threads(const struct be_host_blas *blas, int threads) {
    if (blas->MKL_Set_Num_Threads) {
        blas->MKL_Set_Num_Threads(threads);
    } else if (blas->openblas_set_num_threads) {
        blas->openblas_set_num_threads(threads);
    } else if (blas->bli_thread_set_num_threads) {
        blas->bli_thread_set_num_threads(threads);
    } else if (blas->nvpl_blas_set_num_threads) {
        blas->nvpl_blas_set_num_threads(threads);
    } else if (blas->flexiblas_set_num_threads) {
        blas->flexiblas_set_num_threads(threads);
    } else {
        return false;
    }
    return true;
}

int be_host_blas_info(const int64_t *info) {
    return (int32_t)(uint32_t)(uint64_t)*info; /* no info needs more than 32 bits */
}

/* "Intel(R) oneAPI Math Kernel Library Version 2026.2-Product Build .. for .." */
static void name_mkl(const struct be_host_blas *blas, char *name, size_t capacity) {
    static const char before[] = "Version ";
    char text[BE_NOTE] = "";
    blas->mkl_get_version_string(text, (int)sizeof text);
    text[sizeof text - 1] = '\0';
    const char *version = strstr(text, before);
    version = version ? version + sizeof before - 1 : "";
    snprintf(name, capacity, "oneMKL %.*s", (int)strcspn(version, "- \n"), version);
}

/* "OpenBLAS 0.3.21 DYNAMIC_ARCH NO_AFFINITY .." */
static void name_openblas(const struct be_host_blas *blas, char *name, size_t capacity) {
    be_copy_text(name, capacity, blas->openblas_get_config());
    const size_t library = strcspn(name, " ");
    name[library + (name[library] ? 1 + strcspn(name + library + 1, " ") : 0)] = '\0';
}

void be_host_blas_name(const struct be_host_blas *blas, char *name, size_t capacity) {
    if (blas->mkl_get_version_string) {
        name_mkl(blas, name, capacity);
    } else if (blas->openblas_get_config) {
        name_openblas(blas, name, capacity);
    } else if (blas->bli_info_get_version_str) {
        snprintf(name, capacity, "BLIS %s", blas->bli_info_get_version_str());
    } else {
        be_copy_text(name, capacity,
                     blas->nvpl_blas_set_num_threads   ? "NVPL BLAS"
                     : blas->flexiblas_set_num_threads ? "FlexiBLAS"
                                                       : "BLAS");
    }
    for (size_t end = strlen(name); end > 0 && name[end - 1] == ' '; end--) {
        name[end - 1] = '\0';
    }
    size_t length = strlen(name);
    if (blas->openblas_get_corename) {
        snprintf(name + length, capacity - length, " (%s)", blas->openblas_get_corename());
    }
}

bool be_host_blas_note(const struct be_host_blas *blas, char *text, size_t capacity) {
    char name[BE_NOTE];
    if (!*blas->code.asked) {
        return false;
    }
    be_host_blas_name(blas, name, sizeof name);
    name[strcspn(name, "(")] = '\0';
    snprintf(text, capacity,
             "%.60stakes this CPU for a %.40s: measured with OPENBLAS_CORETYPE=%s, %.1f times as "
             "fast; programs of your own that use it need that, too",
             name, blas->code.own, blas->code.asked, blas->code.gain);
    return true;
}
