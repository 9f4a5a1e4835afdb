/*
 * Own Fourier transforms on the CPU, one after the other: one to three passes with large radices, so that memory is
 * walked through as few times; of real numbers, taken as half as many complex ones, one more. Tables of roots are made in the first call and kept
 * in the scratch memory, as a library's plan would be.
 */
#include <math.h>
#include <string.h>

#include "workload/fft/fft.h"
#include "workload/fft/lines_simd.h"
#include "workload/fft/simd.h"
#include "workload/fft/small_simd.h"

enum {
    PASSES = 3,
    COLUMNS = BE_FFT_COLUMNS,
    SMALL = BE_FFT_PART * BE_FFT_PART, /* fewer numbers have no such columns */
    RADIX_MAX = 2048,                  /* its blocks fit the second caches of today */
    BUFFERS_PART = 128,                /* of inputs and outputs, that members' blocks may take */
    SHARED_FROM = 1 << 13, /* fewer numbers are done sooner by one member than shared out */
    ALIGN = 128
};

struct plan {
    int passes;
    size_t n, radix[PASSES];
    int shift; /* of the coarse table */
    /* Where things begin in scratch memory, in bytes. */
    size_t coarse, fine, lanes, roots[PASSES], buffers, buffer_bytes, bytes;
    struct {
        size_t coarse, fine, lanes; /* of 2 n real numbers; else they take nothing */
    } real;
};

/* At the start of scratch memory, whose first bytes are 0 before the first call. */
struct kept {
    size_t tables_of; /* n */
};

static size_t take(size_t *bytes, size_t wanted) {
    size_t at = *bytes;
    *bytes += (wanted + ALIGN - 1) / ALIGN * ALIGN;
    return at;
}

/* A block of columns. */
static size_t block_bytes(size_t radix) {
    return 2 * radix * COLUMNS * sizeof(float);
}

/* As few as the radices allow. The largest only where members' blocks are little beside the data; half as
 * many numbers were faster in three passes with small radices. */
static int passes_of(size_t n, int log2, int members) {
    const size_t first = (size_t)1 << (log2 + 1) / 2;
    if (n < SMALL) {
        return 1;
    }
    if (first < RADIX_MAX) {
        return 2;
    }
    const size_t max = n * 4 * sizeof(float) / BUFFERS_PART;
    return first == RADIX_MAX && block_bytes(first) * (size_t)members <= max ? 2 : 3;
}

static struct plan plan_of(const struct be_problem *problem, int members) {
    const struct be_fft_size size = be_fft_size(problem);
    const size_t n = size.columns / (size.real ? 2 : 1);
    struct plan plan = {.n = n};
    int log2 = 0;
    while (((size_t)1 << log2) < n) {
        log2++;
    }
    plan.passes = passes_of(n, log2, members);
    plan.shift = log2 / 2;
    size_t max = 1;
    size_t bytes = ALIGN;
    for (int i = 0, left = log2; i < plan.passes; i++) {
        int part = (left + plan.passes - i - 1) / (plan.passes - i);
        plan.radix[i] = (size_t)1 << part;
        max = plan.radix[i] > max ? plan.radix[i] : max;
        left -= part;
        plan.roots[i] = take(&bytes, plan.radix[i] * 2 * sizeof(float));
    }
    const size_t complex_bytes = 2 * sizeof(double);
    plan.coarse = take(&bytes, ((n >> plan.shift) + 1) * complex_bytes);
    plan.fine = take(&bytes, ((size_t)1 << plan.shift) * complex_bytes);
    plan.lanes = take(&bytes, plan.radix[0] * COLUMNS * 2 * sizeof(float));
    /* A little more, so that members' do not lie whole pages apart. */
    plan.buffer_bytes = (n < SMALL ? 4 * n * sizeof(float) : block_bytes(max)) + ALIGN;
    plan.buffers = take(&bytes, plan.buffer_bytes * (size_t)members);
    if (size.real) {
        plan.real.coarse = take(&bytes, ((n >> plan.shift) + 1) * complex_bytes);
        plan.real.fine = take(&bytes, ((size_t)1 << plan.shift) * complex_bytes);
        plan.real.lanes = take(&bytes, BE_FFT_LINES * 2 * sizeof(float));
    }
    plan.bytes = bytes;
    return plan;
}

size_t be_fft_host_scratch(const struct be_problem *problem, int members) {
    const struct be_fft_size size = be_fft_size(problem);
    return be_fft_has_many(&size) ? be_fft_many_scratch(problem, members)
                                  : plan_of(problem, members).bytes;
}

static void root(size_t index, size_t n, double *re, double *im) {
    double angle = -2 * 3.14159265358979323846 * (double)(index % n) / (double)n;
    *re = cos(angle);
    *im = sin(angle);
}

/* Their halves only: two products make any power up to n / 2. */
static void make_real_tables(const struct plan *plan, char *scratch) {
    const size_t n = 2 * plan->n;
    double *coarse = (double *)(void *)(scratch + plan->real.coarse);
    double *fine = (double *)(void *)(scratch + plan->real.fine);
    float *lanes = (float *)(void *)(scratch + plan->real.lanes);
    double re;
    double im;
    for (size_t i = 0; i <= plan->n >> plan->shift; i++) {
        root(i << plan->shift, n, &coarse[2 * i], &coarse[2 * i + 1]);
    }
    for (size_t i = 0; i < (size_t)1 << plan->shift; i++) {
        root(i, n, &fine[2 * i], &fine[2 * i + 1]);
    }
    for (size_t i = 0; i < BE_FFT_LINES; i++) {
        root(i, n, &re, &im);
        lanes[2 * i] = (float)re;
        lanes[2 * i + 1] = (float)im;
    }
}

static void make_tables(const struct plan *plan, char *scratch) {
    const size_t n = plan->n;
    double *coarse = (double *)(void *)(scratch + plan->coarse);
    double *fine = (double *)(void *)(scratch + plan->fine);
    float *lanes = (float *)(void *)(scratch + plan->lanes);
    double re;
    double im;
    for (size_t i = 0; i < n >> plan->shift; i++) {
        root(i << plan->shift, n, &coarse[2 * i], &coarse[2 * i + 1]);
    }
    for (size_t i = 0; i < (size_t)1 << plan->shift; i++) {
        root(i, n, &fine[2 * i], &fine[2 * i + 1]);
    }
    for (size_t k = 0; k < plan->radix[0]; k++) {
        for (size_t c = 0; c < COLUMNS; c++) {
            root(k * c, n, &re, &im);
            lanes[2 * (k * COLUMNS + c)] = (float)re;
            lanes[2 * (k * COLUMNS + c) + 1] = (float)im;
        }
    }
    for (int p = 0; p < plan->passes; p++) {
        float *roots = (float *)(void *)(scratch + plan->roots[p]);
        for (size_t i = 0; i < plan->radix[p]; i++) {
            root(i, plan->radix[p], &re, &im);
            roots[2 * i] = (float)re;
            roots[2 * i + 1] = (float)im;
        }
    }
}

/* One of the batch. */
struct one {
    const float *x;
    float *z;
};

static void run_pass(const struct be_work *work, const struct plan *plan, const struct one *one,
                     int number, size_t s) {
    char *scratch = work->scratch;
    const size_t inner = plan->passes == PASSES ? plan->radix[1] : 1;
    const struct be_fft_pass pass = {.n = plan->n,
                                     .radix = plan->radix[number],
                                     .s = s,
                                     .inner = inner,
                                     .outer = plan->n / plan->radix[0] / inner,
                                     .x = one->x,
                                     .z = one->z,
                                     .roots =
                                         (const float *)(void *)(scratch + plan->roots[number]),
                                     .coarse = (const double *)(void *)(scratch + plan->coarse),
                                     .fine = (const double *)(void *)(scratch + plan->fine),
                                     .shift = plan->shift,
                                     .lanes = (const float *)(void *)(scratch + plan->lanes)};
    size_t first = 0;
    size_t count = plan->n / pass.radix;
    if (plan->n >= SHARED_FROM) {
        be_work_rows(work, count, BE_FFT_PART, &first, &count);
    }
    BE_SIMD_BEST(be_fft_run)
    (&pass, first, count,
     (float *)(void *)(scratch + plan->buffers + plan->buffer_bytes * (size_t)work->member));
}

static void run_small(const struct be_work *work, const struct plan *plan, const struct one *one) {
    char *scratch = work->scratch;
    BE_SIMD_BEST(be_fft_small_run)
    (one->x, one->z, plan->n, (const float *)(void *)(scratch + plan->roots[0]),
     (float *)(void *)(scratch + plan->buffers));
}

/* The spectrum of real numbers from that of pairs of them. */
static void split(const struct be_work *work, const struct plan *plan, const struct one *one) {
    const char *scratch = work->scratch;
    const struct be_fft_halves halves = {
        .n = plan->n,
        .z = one->z,
        .coarse = (const double *)(const void *)(scratch + plan->real.coarse),
        .fine = (const double *)(const void *)(scratch + plan->real.fine),
        .shift = plan->shift,
        .lanes = (const float *)(const void *)(scratch + plan->real.lanes)};
    size_t first = 0;
    size_t count = (plan->n + 1) / 2;
    if (plan->n >= SHARED_FROM) {
        be_team_barrier(work->team);
        be_work_rows(work, count, BE_FFT_LINES, &first, &count);
    }
    BE_SIMD_BEST(be_fft_halves_run)(&halves, first, count);
}

static void transform(const struct be_work *work, const struct plan *plan, const struct one *one) {
    size_t s = 1;
    if (plan->passes == 1) {
        run_small(work, plan, one);
    }
    for (int i = 0; plan->passes > 1 && i < plan->passes; i++) {
        if (i > 0 && plan->n >= SHARED_FROM) {
            be_team_barrier(work->team);
        }
        run_pass(work, plan, one, i, s);
        s *= plan->radix[i];
    }
    if (plan->real.coarse > 0) {
        split(work, plan, one);
    }
}

void be_fft_host(const struct be_work *work) {
    const struct be_fft_size size = be_fft_size(work->problem);
    if (be_fft_has_many(&size)) {
        be_fft_many(work);
        return;
    }
    const struct plan plan = plan_of(work->problem, work->members);
    struct kept *kept = work->scratch;
    if (kept->tables_of != plan.n) { /* so for every member: it changes between two meetings only */
        be_team_barrier(work->team);
        if (work->member == 0) {
            make_tables(&plan, work->scratch);
            if (size.real) {
                make_real_tables(&plan, work->scratch);
            }
            kept->tables_of = plan.n;
        }
        be_team_barrier(work->team);
    }
    if (plan.n < SHARED_FROM && work->member > 0) {
        return;
    }
    for (size_t i = 0; i < size.batch; i++) {
        const struct one one = {(const float *)be_work_array(work, 0) + i * 2 * plan.n,
                                (float *)be_work_array(work, 1) + i * 2 * size.width};
        transform(work, &plan, &one);
    }
}
