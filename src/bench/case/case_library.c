/* Which of several libraries a case calls: all are tried on its own data, size and threads. */
#include <math.h>
#include <time.h>

#include "bench/case/case.h"

/* Threads of the library before look for work for a while before they sleep. */
static const struct timespec settle = {.tv_nsec = 30 * 1000 * 1000};

/* So long is a library tried, but at least twice, or once where that was long for sure. */
static const double try_s = 20e-3;

static double shortest_call_s(struct be_case *c, const struct be_clock *clock) {
    const struct be_variant *v = &c->data->problem.workload->variant[c->variant];
    double spent_s = 0;
    double least_s = INFINITY;
    for (int i = 0; i < 2 || spent_s < try_s; i++) {
        if (v->updates) {
            be_data_begin(c->data, v->updates, c->instance);
        }
        const double begun_s = be_now(clock);
        if (be_case_call(c, NULL) != BE_OK) {
            return INFINITY;
        }
        const double call_s = be_now(clock) - begun_s;
        least_s = fmin(least_s, call_s);
        spent_s += call_s;
        if (call_s >= BE_LONG_FOR_SURE_S) {
            break;
        }
    }
    return least_s;
}

static void try_all(struct be_case *c, const struct be_variant *v, const struct be_clock *clock) {
    const struct be_host_libraries *best = NULL;
    double best_s = INFINITY;
    for (int i = 0; i < c->place->libraries; i++) {
        c->library = c->place->library + i;
        if (v->host_ready(c->library, c->place->threads, NULL) != BE_OK) {
            continue;
        }
        if (c->place->threads > 1) {
            nanosleep(&settle, NULL);
        }
        const double seconds = shortest_call_s(c, clock);
        if (!best || seconds < best_s) {
            best = c->library;
            best_s = seconds;
        }
    }
    c->library = best ? best : c->place->library;
}

void be_case_choose_library(struct be_case *c, const struct be_clock *clock) {
    const struct be_workload *workload = c->data->problem.workload;
    const struct be_variant *v = &workload->variant[c->variant];
    if (c->place->device || !c->library || !v->host_ready || !workload->wants_blas) {
        return;
    }
    if (c->place->libraries > 1) {
        try_all(c, v, clock);
    }
    if (c->library->blas.handle) {
        be_host_blas_name(&c->library->blas, c->result.library, sizeof c->result.library);
    }
}
