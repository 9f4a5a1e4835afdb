#include "ask/scale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* Usual code over the best: 5 %, 50 % and 95 % (docs/prediction.md, "Your own computation"), of a GPU over those of a
 * CPU. Where the CPU's code is far from its best and the GPU's is near it, the ratio is lowest. */
struct spread {
    double lo, typical, hi;
};
static const struct spread memory = {1 / 5.50, 1.22 / 2.45, 3.07},
                           operations = {1 / 6.77, 1.34 / 2.60, 4.62};

static const struct {
    const char *workloads;
    const struct spread *spread;
} scaled[BE_WORK_KINDS] = {
    [BE_WORK_MATRIX] = {"matmul", &operations},
    [BE_WORK_LAPACK] = {"matmul", &operations},
    [BE_WORK_FFT] = {"fft", &operations},
    [BE_WORK_ELEMENTWISE] = {"add multiply axpy power chain", &memory},
    [BE_WORK_REDUCTION] = {"reduce", &memory},
    [BE_WORK_SORT] = {"sort", &memory},
    [BE_WORK_RANDOM] = {"generate", &memory},
    [BE_WORK_SPARSE] = {"spmv", &memory},
    [BE_WORK_GATHER] = {"gather", &memory},
};

/* A factorization is no single product: its products of blocks run at the GPU's rate, the columns between them do not. That
 * is the upper end; the typical time has the square root. */
static const double factorization = 4;

const char *be_ask_workloads(enum be_work_kind kind) {
    return kind == BE_WORK_LAPACK ? NULL : scaled[kind].workloads;
}

/* ---- points --------------------------------------------------------------------------------- */

static bool is_word(const char *list, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = list; (at = strstr(at, word)) != NULL; at += length) {
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0')) {
            return true;
        }
    }
    return false;
}

static bool is_cpu(const struct be_result *one) {
    return strcmp(one->device, "cpu") == 0;
}

static bool is_same_work(const struct be_result *a, const struct be_result *b) {
    return a->size == b->size && strcmp(a->workload, b->workload) == 0 &&
           strcmp(a->dtype, b->dtype) == 0 && strcmp(a->parameters, b->parameters) == 0;
}

/* The fastest of the same work; threads 0: of a GPU. NAN: none. */
static double fastest(const struct be_results *of, const struct be_result *like, int threads,
                      enum be_placement placement) {
    double least_s = NAN;
    for (size_t i = 0; i < of->results; i++) {
        const struct be_result *one = &of->result[i];
        const bool fits = is_cpu(one) ? one->threads == threads : threads == 0;
        if (fits && one->placement == placement && is_same_work(one, like)) {
            least_s = fmin(least_s, one->phase[BE_TOTAL].median_s);
        }
    }
    return least_s;
}

static int most_threads(const struct be_results *of) {
    int most = 1;
    for (size_t i = 0; i < of->results; i++) {
        most = of->result[i].threads > most ? of->result[i].threads : most;
    }
    return most;
}

/* Other caches, other variants: the point is there already. */
static bool is_first(const struct be_results *cpu, size_t index) {
    for (size_t i = 0; i < index; i++) {
        if (is_cpu(&cpu->result[i]) && cpu->result[i].threads == 1 &&
            is_same_work(&cpu->result[i], &cpu->result[index])) {
            return false;
        }
    }
    return true;
}

static void add_point(struct be_ask_scale *scale, const struct be_result *of,
                      const struct be_ask_point *point) {
    for (int kind = 0; kind < BE_WORK_KINDS; kind++) {
        if (scaled[kind].workloads && is_word(scaled[kind].workloads, of->workload) &&
            scale->points[kind] < BE_ASK_POINTS) {
            scale->point[kind][scale->points[kind]++] = *point;
        }
    }
}

static int by_value(const void *a, const void *b) {
    const double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

static double median(double *value, size_t count) {
    if (count) {
        qsort(value, count, sizeof *value, by_value);
    }
    return count ? value[count / 2] : NAN;
}

static enum be_status take_start(const struct be_results *gpu, struct be_ask_scale *scale,
                                 struct be_error *error) {
    double driver_s = NAN, *first_s = calloc(gpu->results + 1, sizeof *first_s);
    size_t firsts = 0;
    if (!first_s) {
        return be_fail(error, BE_NOMEM, "no host memory for times of %.60s", gpu->name);
    }
    for (int i = 0; i < gpu->machine.devices; i++) {
        const struct be_device_info *device = &gpu->machine.device[i];
        if (device->kind == BE_KIND_GPU) {
            driver_s = device->start_s > 0 ? device->start_s : driver_s;
            be_copy_text(scale->gpu, sizeof scale->gpu, device->name);
        }
    }
    for (size_t i = 0; i < gpu->results; i++) {
        const struct be_result *one = &gpu->result[i];
        if (!is_cpu(one) && one->phase[BE_FIRST].median_s > 0) {
            first_s[firsts++] = one->phase[BE_FIRST].median_s;
        }
    }
    const double typical_s = median(first_s, firsts);
    scale->start = (struct be_ask_start){driver_s, driver_s + typical_s,
                                         driver_s + (firsts ? first_s[firsts - 1] : NAN)};
    free(first_s);
    return BE_OK;
}

enum be_status be_ask_scale_of(const struct be_results *cpu, const struct be_results *gpu,
                               struct be_ask_scale *scale, struct be_error *error) {
    const int all = most_threads(cpu);
    int points = 0;
    *scale = (struct be_ask_scale){0};
    be_copy_text(scale->name, sizeof scale->name, gpu->name);
    for (size_t i = 0; i < cpu->results; i++) {
        const struct be_result *one = &cpu->result[i];
        if (!is_cpu(one) || one->threads != 1 || !is_first(cpu, i)) {
            continue;
        }
        const double cpu_s = fastest(cpu, one, 1, BE_HOST);
        const double stay_s = fastest(gpu, one, 0, BE_RESIDENT);
        const struct be_ask_point point = {
            .cpu_s = cpu_s,
            .team = fmax(1, cpu_s / fastest(cpu, one, all, BE_HOST)),
            .bytes = one->bytes,
            .stay = stay_s / cpu_s,
            .copy = fastest(gpu, one, 0, BE_COPY) / cpu_s,
        };
        if (point.stay > 0) {
            add_point(scale, one, &point);
            points++;
        }
    }
    /* Nobody started a GPU whose times are scaled: it takes what the one takes that they are scaled from. */
    enum be_status status = take_start(cpu, scale, error);
    const struct be_ask_start other = scale->start;
    status = status ? status : take_start(gpu, scale, error);
    scale->start = scale->start.hi_s > 0 ? scale->start : other;
    return status || points
               ? status
               : be_fail(error, BE_ABSENT,
                         "%.60s: no workload was measured both there and on a CPU, so that "
                         "nothing can be said of it",
                         gpu->name);
}

/* ---- ratios --------------------------------------------------------------------------------- */

static double nearest(const struct be_ask_scale *scale, enum be_work_kind kind, double least_s) {
    double best = NAN, off = INFINITY;
    for (int i = 0; i < scale->points[kind]; i++) {
        const double one = fabs(log(scale->point[kind][i].cpu_s / least_s));
        best = one < off ? scale->point[kind][i].cpu_s : best;
        off = fmin(off, one);
    }
    return best;
}

static double at_share(const double *sorted, size_t count, double share) {
    return sorted[(size_t)round(share * (double)(count - 1))];
}

/* Two factors that know nothing of each other, at the end of 90 % of each: both on one side of 1, or one is 1. They are seldom
 * at that end together. */
static double both(double a, double b) {
    const double off = hypot(log(a), log(b));
    return exp(a * b < 1 ? -off : off);
}

struct be_ask_ratio be_ask_ratio_of(const struct be_ask_scale *scale, enum be_work_kind kind,
                                    double threads, double least_s, double most_bytes) {
    struct be_ask_ratio ratio = {.lo = NAN, .typical = NAN, .hi = NAN, .copy_typical = NAN};
    double stay[BE_ASK_POINTS], copy[BE_ASK_POINTS];
    size_t stays = 0, copies = 0;
    if (!scale->points[kind]) {
        return ratio;
    }
    /* Bounds that no size was measured within leave the size next to them. */
    const double next_s = nearest(scale, kind, least_s);
    for (int i = 0; i < scale->points[kind]; i++) {
        const struct be_ask_point *p = &scale->point[kind][i];
        const bool fits = p->cpu_s >= least_s && !(p->bytes > most_bytes);
        if (fits || p->cpu_s == next_s) {
            const double team = fmin(threads, isnan(p->team) ? threads : p->team);
            stay[stays++] = p->stay * team;
            if (p->copy > 0) {
                copy[copies++] = p->copy * team;
            }
        }
    }
    if (!stays) {
        return ratio;
    }
    const struct spread *spread = scaled[kind].spread;
    const double middle = median(stay, stays), typical = middle * spread->typical;
    const double more = kind == BE_WORK_LAPACK ? factorization : 1;
    ratio.typical = typical * sqrt(more);
    ratio.lo = typical * both(at_share(stay, stays, 0.05) / middle, spread->lo / spread->typical);
    ratio.hi =
        typical * more * both(at_share(stay, stays, 0.95) / middle, spread->hi / spread->typical);
    ratio.copy_typical = median(copy, copies) * spread->typical * sqrt(more);
    return ratio;
}
