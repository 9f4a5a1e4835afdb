#include "dyn/host/fftw.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "breakeven.h" /* BE_LIST_MAX */

#define FN(need, type, name, arguments) {#name, offsetof(struct be_fftw, name), BE_NEED_##need},
static const struct be_symbol symbols[] = {
#include "dyn/host/fftw_list.h"
    {"fftwf_version", offsetof(struct be_fftw, version), BE_NEED_may}, /* a text, not a function */
};
#undef FN

#define FN(need, type, name, arguments)                                                            \
    {#name, offsetof(struct be_fftw_threads, name), BE_NEED_##need},
static const struct be_symbol threads_symbols[] = {
#include "dyn/host/fftw_threads_list.h"
};
#undef FN

/* Comparisons take turns among the thread counts of one size: none of those may be forgotten. */
enum { PLANS = BE_LIST_MAX };

struct be_fftw_plans {
    struct {
        fftwf_plan plan;
        struct be_fftw_form form;
        int threads;
    } kept[PLANS];
    int next; /* the oldest */
};

/* By trial, but no longer than this, in seconds. */
static const double planning_max_s = 3;

static const char *const files[] = {"libfftw3f.so.3", NULL};
static const char *const threads_files[] = {"libfftw3f_threads.so.3", "libfftw3f_omp.so.3", NULL};

/* Threads are started before anything else is called, as the library wants it. */
static void open_threads(struct be_fftw_threads *threads) {
    static const struct be_library library = {"FFTW's threads", threads_files, NULL,
                                              threads_symbols, BE_COUNT(threads_symbols)};
    if (be_dyn_open(&library, threads, &threads->handle, NULL) == BE_OK &&
        threads->fftwf_init_threads() == 0) {
        be_dyn_close(threads->handle);
        threads->handle = NULL;
    }
}

enum be_status be_fftw_open(struct be_fftw *table, struct be_error *error) {
    static const struct be_library library = {"FFTW", files, NULL, symbols, BE_COUNT(symbols)};
    struct be_error failure = {0};
    *table = (struct be_fftw){0};
    enum be_status status = be_dyn_open(&library, table, &table->handle, &failure);
    if (status != BE_OK) {
        return be_fail(error, status,
                       "%.300s: install it (apt-get install libfftw3-single3, dnf install "
                       "fftw-libs-single)",
                       failure.text);
    }
    open_threads(&table->threads);
    table->plans = calloc(1, sizeof *table->plans);
    if (!table->plans) {
        be_fftw_close(table);
        return be_fail(error, BE_NOMEM, "FFTW: no host memory");
    }
    return BE_OK;
}

void be_fftw_close(struct be_fftw *table) {
    for (int i = 0; table->plans && i < PLANS; i++) {
        if (table->plans->kept[i].plan) {
            table->fftwf_destroy_plan(table->plans->kept[i].plan);
        }
    }
    free(table->plans);
    be_dyn_close(table->threads.handle);
    be_dyn_close(table->handle);
    *table = (struct be_fftw){0};
}

bool be_fftw_shares(const struct be_fftw *fftw) {
    return fftw->threads.handle && fftw->threads.fftwf_threads_set_callback;
}

bool be_fftw_set_threads(const struct be_fftw *fftw, int threads) {
    if (fftw->threads.handle) {
        fftw->threads.fftwf_plan_with_nthreads(threads);
    }
    return fftw->threads.handle || threads == 1;
}

static fftwf_plan make_plan(const struct be_fftw *fftw, const struct be_fftw_form *form, float *in,
                            fftwf_complex *out) {
    const unsigned flags = (unsigned)FFTW_MEASURE | (unsigned)FFTW_PRESERVE_INPUT;
    const int n[] = {form->rows, form->columns};
    const int rank = form->rows > 1 ? 2 : 1;
    const int points = form->rows * form->columns;
    const int spectrum = form->rows * (form->columns / 2 + 1);
    const size_t floats = (size_t)form->batch * (size_t)points * (form->real ? 1 : 2);
    /* The input of the trial must not be zeroes or worse. */
    for (size_t i = 0; i < floats; i++) {
        in[i] = (float)(i % 7) - 3;
    }
    if (fftw->fftwf_set_timelimit) {
        fftw->fftwf_set_timelimit(planning_max_s);
    }
    return form->real ? fftw->fftwf_plan_many_dft_r2c(rank, n + 2 - rank, form->batch, in, NULL, 1,
                                                      points, out, NULL, 1, spectrum, flags)
                      : fftw->fftwf_plan_many_dft(rank, n + 2 - rank, form->batch,
                                                  (fftwf_complex *)in, NULL, 1, points, out, NULL,
                                                  1, points, FFTW_FORWARD, flags);
}

static bool is_same(const struct be_fftw_form *a, const struct be_fftw_form *b) {
    return a->rows == b->rows && a->columns == b->columns && a->batch == b->batch &&
           a->real == b->real;
}

fftwf_plan be_fftw_plan(const struct be_fftw *fftw, const struct be_fftw_form *form, int threads,
                        float *in, fftwf_complex *out) {
    struct be_fftw_plans *plans = fftw->plans;
    for (int i = 0; i < PLANS; i++) {
        if (plans->kept[i].plan && is_same(&plans->kept[i].form, form) &&
            plans->kept[i].threads == threads) {
            return plans->kept[i].plan;
        }
    }
    fftwf_plan plan = be_fftw_set_threads(fftw, threads) ? make_plan(fftw, form, in, out) : NULL;
    if (plan) {
        if (plans->kept[plans->next].plan) {
            fftw->fftwf_destroy_plan(plans->kept[plans->next].plan);
        }
        plans->kept[plans->next].plan = plan;
        plans->kept[plans->next].form = *form;
        plans->kept[plans->next].threads = threads;
        plans->next = (plans->next + 1) % PLANS;
    }
    return plan;
}

void be_fftw_execute(const struct be_fftw *fftw, const struct be_fftw_form *form, fftwf_plan plan,
                     float *in, fftwf_complex *out) {
    if (form->real) {
        fftw->fftwf_execute_dft_r2c(plan, in, out);
    } else {
        fftw->fftwf_execute_dft(plan, (fftwf_complex *)in, out);
    }
}

void be_fftw_name(const struct be_fftw *fftw, char *name, size_t capacity) {
    const char *text = fftw->version ? fftw->version : ""; /* "fftw-3.3.10-sse2-avx" */
    const char *number = strchr(text, '-');
    if (number) {
        snprintf(name, capacity, "FFTW %.*s", (int)strcspn(number + 1, "-"), number + 1);
    } else {
        be_copy_text(name, capacity, "FFTW");
    }
}
