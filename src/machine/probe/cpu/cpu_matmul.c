/* Matrix products through the BLAS that the system has. */
#include <math.h>
#include <time.h>

#include "base/error.h"
#include "host/pages.h"
#include "base/random.h"
#include "dyn/host/blas.h"
#include "machine/probe/cpu/cpu.h"

enum { SMALLEST = 512, LARGEST = 4096, LARGEST_OF_MANY = 8192, MANY = 32, CHECKED = 32 };

struct product {
    const struct be_host_blas *blas;
    struct be_pages pages;
    void *a, *b, *c; /* double where wide, else float */
    int64_t n;
    bool wide; /* float64 */
};

static void multiply(const struct product *p) {
    be_host_blas_multiply(p->blas, p->wide, false, p->n, p->n, p->a, p->b, p->c);
}

/* Column by column, as Fortran lays them. */
static double entry(const struct product *p, const void *matrix, int64_t row, int64_t column) {
    int64_t at = column * p->n + row;
    const double *wide = matrix;
    const float *narrow = matrix;
    return p->wide ? wide[at] : (double)narrow[at];
}

static void fill(const struct product *p, void *matrix, uint64_t seed) {
    double *wide = matrix;
    float *narrow = matrix;
    for (int64_t i = 0; i < p->n * p->n; i++) {
        float value = be_random_float(seed, (uint64_t)i) - 0.5f;
        if (p->wide) {
            wide[i] = (double)value;
        } else {
            narrow[i] = value;
        }
    }
}

/* Some entries of C against plain sums. */
static enum be_status check(const struct product *p, struct be_error *error) {
    const double unit = p->wide ? 0x1p-52 : 0x1p-23;
    for (uint64_t i = 0; i < CHECKED; i++) {
        int64_t row = (int64_t)(be_random_bits(3, i) % (uint64_t)p->n);
        int64_t column = (int64_t)(be_random_bits(4, i) % (uint64_t)p->n);
        double sum = 0;
        double size = 0;
        for (int64_t k = 0; k < p->n; k++) {
            double part = entry(p, p->a, row, k) * entry(p, p->b, k, column);
            sum += part;
            size += fabs(part);
        }
        double off = fabs(entry(p, p->c, row, column) - sum);
        if (!(off <= 2 * unit * sqrt((double)p->n) * size)) {
            return be_fail(error, BE_WRONG,
                           "matrix products: entry (%lld, %lld) of %lld is off by %g: the BLAS is "
                           "broken; install another",
                           (long long)row, (long long)column, (long long)p->n, off);
        }
    }
    return BE_OK;
}

static double time_product(const struct product *p, const struct be_clock *clock) {
    double start = be_now(clock);
    multiply(p);
    return be_now(clock) - start;
}

/* Doubles n until one product takes long enough. The second product counts: the first starts the
 * library's threads. */
static void find_size(const struct be_probe *probe, struct product *p, int64_t largest) {
    const double long_enough_s = probe->options->quick ? 2e-3 : 50e-3;
    for (p->n = SMALLEST;; p->n *= 2) {
        fill(p, p->a, 1);
        fill(p, p->b, 2);
        multiply(p);
        if (2 * p->n > largest || time_product(p, &probe->clock) >= long_enough_s) {
            return;
        }
    }
}

/* At least three products, and more for half a second. */
static enum be_status sample_products(struct be_probe *probe, const struct product *p,
                                      struct be_samples *samples, struct be_error *error) {
    const double budget_s = probe->options->quick ? 0.02 : 0.5;
    const int min = 3;
    const int max = 30;
    const double begun = be_now(&probe->clock);
    enum be_status status = BE_OK;
    while (status == BE_OK && samples->count < max &&
           (samples->count < min || be_now(&probe->clock) - begun < budget_s)) {
        status = be_samples_add(samples, time_product(p, &probe->clock), error);
        status = status == BE_OK ? be_probe_pause(probe, error) : status;
    }
    return status;
}

static enum be_status measure_product(struct be_probe *probe, const struct be_target *target,
                                      struct product *p, int threads, int64_t largest,
                                      struct be_error *error) {
    struct be_samples samples = {0};
    struct be_figure key =
        be_cpu_key(target, "matmul", p->wide ? "float64" : "float32", threads, NAN);
    char library[200];
    find_size(probe, p, largest);
    be_host_blas_name(p->blas, library, sizeof library);
    snprintf(key.note, sizeof key.note, "%s; n = %lld", library, (long long)p->n);
    enum be_status status = sample_products(probe, p, &samples, error);
    status = status == BE_OK ? check(p, error) : status;
    const double n = (double)p->n;
    status = status == BE_OK ? be_probe_add(probe, &key, 2 * n * n * n, &samples, error) : status;
    be_samples_free(&samples);
    return status;
}

/* Largest n, a power of two, whose three matrices fit a quarter of the free memory. */
static int64_t largest_size(const struct be_probe *probe) {
    int64_t n = probe->cores.count > MANY ? LARGEST_OF_MANY : LARGEST;
    while (n > SMALLEST) {
        double bytes = 3.0 * sizeof(double) * (double)n * (double)n;
        if (be_probe_memory_share(bytes) >= bytes) {
            break;
        }
        n /= 2;
    }
    return n;
}

/* No team is open here: a BLAS counts cores by the caller's affinity, and its threads inherit it.
 * float64 and float32 for 1 and all threads; a library that cannot be told how many is taken as it
 * is. */
static enum be_status measure_all(struct be_probe *probe, const struct be_target *target,
                                  struct product *p, int64_t largest, struct be_error *error) {
    const int all = probe->cores.count;
    const int count[] = {1, all};
    enum be_status status = BE_OK;
    for (int i = all == 1; i < 2 && status == BE_OK; i++) {
        if (!be_host_blas_set_threads(p->blas, count[i])) {
            if (count[i] != all) {
                continue;
            }
            be_probe_remark(probe,
                            "%s: matmul: this BLAS cannot be told how many threads to use: "
                            "it uses as many as it likes",
                            target->info->id);
        }
        p->wide = true;
        status = measure_product(probe, target, p, count[i], largest, error);
        p->wide = false;
        status =
            status == BE_OK ? measure_product(probe, target, p, count[i], largest, error) : status;
    }
    return status;
}

enum be_status be_probe_cpu_matmul(struct be_probe *probe, const struct be_target *target,
                                   struct be_error *error) {
    const struct timespec settle = {.tv_nsec = 100 * 1000 * 1000};
    const int64_t largest = largest_size(probe);
    const size_t entries = (size_t)(largest * largest);
    struct be_host_blas blas;
    struct product p = {.blas = &blas};
    char note[BE_NOTE];
    enum be_status status = be_host_blas_open(&blas, error);
    if (status != BE_OK) {
        return status;
    }
    status = be_pages_get(3 * entries * sizeof(double), &p.pages, error);
    if (status == BE_OK) {
        p.a = p.pages.memory;
        p.b = (double *)p.a + entries;
        p.c = (double *)p.b + entries;
        if (be_host_blas_note(&blas, note, sizeof note)) {
            be_probe_remark(probe, "%s: %s", target->info->id, note);
        }
        status = measure_all(probe, target, &p, largest, error);
    }
    be_pages_give_back(&p.pages);
    be_dyn_close(blas.handle);
    nanosleep(&settle, NULL); /* its threads look for work for a while before they sleep */
    return status;
}
