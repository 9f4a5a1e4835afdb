/* From a comparison to the times that travel: of each case the fastest code, and the fastest that anybody can have. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "elsewhere/elsewhere.h"
#include "report/common/shelves.h"

static const struct be_device_info *first_gpu(const struct be_machine *machine) {
    for (int i = 0; i < machine->devices; i++) {
        const struct be_device_info *info = &machine->device[i];
        if (info->kind == BE_KIND_GPU && info->origin == BE_ORIGIN_HERE) {
            return info;
        }
    }
    return NULL;
}

static bool is_kept_device(const struct be_result *r, const struct be_device_info *gpu) {
    return strcmp(r->device, "cpu") == 0 || (gpu && strcmp(r->device, gpu->id) == 0);
}

static bool is_kept(const struct be_result *r, const struct be_device_info *gpu) {
    return r->status == BE_RESULT_OK && strcmp(r->variant, BE_AS_PUBLISHED) != 0 &&
           r->phase[BE_TOTAL].n > 0 && r->phase[BE_TOTAL].median_s > 0 && is_kept_device(r, gpu);
}

static bool is_callable(const struct be_result *r) {
    return r->code != BE_CODE_EXPERT && !r->as_written;
}

static bool same_case(const struct be_result *a, const struct be_result *b) {
    return a->size == b->size && a->placement == b->placement && a->cache == b->cache &&
           a->threads == b->threads && strcmp(a->workload, b->workload) == 0 &&
           strcmp(a->dtype, b->dtype) == 0 && strcmp(a->parameters, b->parameters) == 0 &&
           strcmp(a->device, b->device) == 0;
}

/* Is another one of the same case faster, and no less to be had? The first of two alike is kept. */
static bool is_beaten(const struct be_comparison *all, size_t i, const struct be_device_info *gpu) {
    const struct be_result *r = &all->result[i];
    const double mine = r->phase[BE_TOTAL].median_s;
    for (size_t k = 0; k < all->results; k++) {
        const struct be_result *s = &all->result[k];
        const double other = s->phase[BE_TOTAL].median_s;
        if (k != i && is_kept(s, gpu) && same_case(r, s) && is_callable(s) >= is_callable(r) &&
            (other < mine || (other == mine && k < i))) {
            return true;
        }
    }
    return false;
}

/* Five digits are more than any interval leaves sure, and files stay small. */
static double rounded(double value) {
    if (!(fabs(value) > 0) || !isfinite(value)) {
        return value;
    }
    const double step = pow(10, floor(log10(fabs(value))) - 4);
    return round(value / step) * step;
}

void be_times_interval(const struct be_summary *summary, double *lo_s, double *hi_s) {
    const double stretch = summary->n >= BE_RANKED_FEWEST ? 0 : (summary->hi_s - summary->lo_s) / 2;
    *lo_s = summary->lo_s - stretch;
    *hi_s = summary->hi_s + stretch;
    if (summary->n < 2 || !(*lo_s > 0)) { /* a stretch that reaches zero says nothing */
        *lo_s = summary->n < 2 ? NAN : summary->lo_s / 2;
    }
    *hi_s = summary->n < 2 ? NAN : *hi_s;
}

static struct be_result compact(const struct be_result *of) {
    struct be_result r = {.as_written = false, .code = of->code, .size = of->size};
    be_copy_text(r.workload, sizeof r.workload, of->workload);
    be_copy_text(r.variant, sizeof r.variant, of->variant);
    be_copy_text(r.dtype, sizeof r.dtype, of->dtype);
    be_copy_text(r.parameters, sizeof r.parameters, of->parameters);
    be_copy_text(r.size_name, sizeof r.size_name, of->size_name);
    be_copy_text(r.device, sizeof r.device, of->device);
    r.threads = of->threads;
    r.placement = of->placement;
    r.cache = of->cache;
    r.bytes = of->bytes;
    r.operations = of->operations;
    struct be_summary *total = &r.phase[BE_TOTAL];
    total->n = of->phase[BE_TOTAL].n;
    total->median_s = rounded(of->phase[BE_TOTAL].median_s);
    be_times_interval(&of->phase[BE_TOTAL], &total->lo_s, &total->hi_s);
    total->lo_s = fmin(rounded(total->lo_s), total->median_s);
    total->hi_s = fmax(rounded(total->hi_s), total->median_s);
    if (isnan(of->phase[BE_TOTAL].lo_s)) {
        total->lo_s = total->hi_s = NAN;
    }
    const bool first = of->phase[BE_FIRST].n > 0;
    r.phase[BE_FIRST].n = first;
    r.phase[BE_FIRST].median_s = first ? rounded(of->phase[BE_FIRST].median_s) : NAN;
    return r;
}

/* CPU and GPU. Names of the host and of its kernel stay at home. */
static void keep_machine(struct be_results *results, const struct be_device_info *gpu) {
    struct be_machine *machine = &results->machine;
    int kept = 0;
    machine->host[0] = '\0';
    results->environment.kernel[0] = '\0';
    machine->absences = 0;
    for (int i = 0; i < machine->devices; i++) {
        const struct be_device_info info = machine->device[i];
        if (strcmp(info.id, "cpu") == 0 || (gpu && strcmp(info.id, gpu->id) == 0)) {
            machine->device[kept++] = info;
        }
    }
    machine->devices = kept;
}

enum be_status be_results_of(const struct be_comparison *comparison, const char *name,
                             struct be_results *results, struct be_error *error) {
    const struct be_device_info *gpu = first_gpu(&comparison->machine);
    char path[BE_PATH];
    *results = (struct be_results){.origin = BE_ORIGIN_ELSEWHERE,
                                   .machine = comparison->machine,
                                   .environment = comparison->environment};
    struct be_error why = {0};
    if (be_shelves_path(&be_shelf_results, name, path, &why) == BE_USAGE) {
        return be_fail(error, BE_USAGE, "%s", why.text);
    }
    results->result = calloc(comparison->results + 1, sizeof *results->result);
    if (!results->result) {
        return be_fail(error, BE_NOMEM, "results %s: no host memory", name);
    }
    be_copy_text(results->name, sizeof results->name, name);
    for (size_t i = 0; i < comparison->results; i++) {
        const struct be_result *r = &comparison->result[i];
        if (is_kept(r, gpu) && !is_beaten(comparison, i, gpu)) {
            results->result[results->results++] = compact(r);
        }
    }
    keep_machine(results, gpu);
    if (results->results == 0) {
        be_results_free(results);
        return be_fail(error, BE_USAGE,
                       "results %s: no time came out right, so there is nothing to keep", name);
    }
    return BE_OK;
}
