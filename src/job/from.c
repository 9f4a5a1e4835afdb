/* A saved comparison -> requests of a job: GPU or not, threads, memory. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "job/job.h"
#include "stat/stat.h"

/* Is the hardware behind this device a GPU? */
static bool on_gpu(const struct be_comparison *comparison, const char *device) {
    for (int i = 0; i < comparison->machine.devices; i++) {
        if (strcmp(comparison->machine.device[i].id, device) == 0) {
            return comparison->machine.device[i].kind == BE_KIND_GPU;
        }
    }
    return false;
}

/* A result that has a time, of code that anyone would run. */
static bool counts(const struct be_result *result, const char *workload) {
    return result->status == BE_RESULT_OK && !result->refines &&
           strcmp(result->variant, BE_AS_PUBLISHED) != 0 &&
           strcmp(result->workload, workload) == 0 && result->phase[BE_TOTAL].median_s > 0;
}

static const struct be_result *faster(const struct be_result *a, const struct be_result *b) {
    return a && a->phase[BE_TOTAL].median_s <= b->phase[BE_TOTAL].median_s ? a : b;
}

static int max_threads(const struct be_comparison *comparison, const char *workload) {
    int max = 0;
    for (size_t i = 0; i < comparison->results; i++) {
        const struct be_result *one = &comparison->result[i];
        if (one->placement == BE_HOST && counts(one, workload) && one->threads > max) {
            max = one->threads;
        }
    }
    return max;
}

struct bests {
    const struct be_result *cpu, *copied, *resident; /* of one size; NULL: none */
};

/* The best times at one size, in one state of the caches; a result that fits no cache counts with those that do.
 * Without a time on the most threads there is no CPU: fewer are no baseline in good faith, as for the break-even. */
static struct bests bests_of(const struct be_comparison *comparison, const char *workload,
                             uint64_t size, enum be_cache cache) {
    const int max = max_threads(comparison, workload);
    struct bests best = {0};
    bool whole = false;
    for (size_t i = 0; i < comparison->results; i++) {
        const struct be_result *one = &comparison->result[i];
        if (!counts(one, workload) || one->size != size ||
            (one->cache != cache && one->cache != BE_BEYOND)) {
            continue;
        }
        if (one->placement == BE_HOST) {
            best.cpu = faster(best.cpu, one);
            whole |= one->threads == max;
        } else if (one->placement == BE_COPY && on_gpu(comparison, one->device)) {
            best.copied = faster(best.copied, one);
        } else if (one->placement == BE_RESIDENT && on_gpu(comparison, one->device)) {
            best.resident = faster(best.resident, one);
        }
    }
    best.cpu = whole ? best.cpu : NULL;
    return best;
}

/* The best times at the largest size that a CPU and, where any was measured, a GPU have; those of
 * hot caches where there are such results: programs mostly call again what they called before. */
static struct bests find_bests(const struct be_comparison *comparison, const char *workload) {
    struct bests found = {0};
    for (int with_gpu = 1; with_gpu >= 0 && !found.cpu; with_gpu--) {
        uint64_t size = 0;
        for (size_t i = 0; i < comparison->results; i++) {
            const struct be_result *one = &comparison->result[i];
            for (int cache = BE_HOT; cache <= BE_COLD && counts(one, workload); cache++) {
                const struct bests best =
                    bests_of(comparison, workload, one->size, (enum be_cache)cache);
                if (one->size > size && best.cpu && (!with_gpu || best.copied || best.resident)) {
                    found = best;
                    size = one->size;
                }
            }
        }
    }
    return found;
}

/* Beyond doubt: never from two medians. */
static bool is_ahead(const struct be_result *a, const struct be_result *b) {
    return a && b && be_is_shorter(&a->phase[BE_TOTAL], &b->phase[BE_TOTAL]);
}

static enum be_status choose_workload(const struct be_comparison *comparison, const char **name,
                                      struct be_error *error) {
    char known[BE_NOTE] = "";
    const char *first = NULL;
    int several = 0;
    for (size_t i = 0; i < comparison->results; i++) {
        const char *one = comparison->result[i].workload;
        bool seen = false;
        for (size_t k = 0; k < i && !seen; k++) {
            seen = strcmp(comparison->result[k].workload, one) == 0;
        }
        if (*name && strcmp(*name, one) == 0) {
            return BE_OK;
        }
        size_t used = strlen(known);
        if (!seen) {
            first = one;
            several++;
            snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "", one);
        }
    }
    if (*name || several != 1) {
        return be_fail(error, BE_USAGE, "--from: %s%.60s: the file has: %s",
                       *name ? "no workload " : "which workload is the job like? --workload=NAME",
                       *name ? *name : "", *known ? known : "none");
    }
    *name = first;
    return BE_OK;
}

static void time_text(const struct be_result *result, char text[BE_NOTE]) {
    char time[BE_WORD], threads[2 * BE_WORD] = "";
    be_format_seconds(time, sizeof time, result->phase[BE_TOTAL].median_s, "-");
    if (result->placement == BE_HOST) {
        snprintf(threads, sizeof threads, " with %d thread%s", result->threads,
                 result->threads > 1 ? "s" : "");
    }
    snprintf(text, BE_NOTE, "%.60s%s %s", result->device, threads, time);
}

enum be_status be_job_from(const struct be_comparison *comparison, const char *workload,
                           struct be_job_request *request, char why[BE_NOTE],
                           struct be_error *error) {
    enum be_status status = choose_workload(comparison, &workload, error);
    if (status != BE_OK) {
        return status;
    }
    const struct bests best = find_bests(comparison, workload);
    if (!best.cpu) {
        return be_fail(error, BE_USAGE, "--from: %s has no result that counts on the CPU",
                       workload);
    }
    const struct be_result *gpu = best.copied ? best.copied : best.resident;
    const bool worth = is_ahead(gpu, best.cpu);
    const bool close = gpu && !worth && !is_ahead(best.cpu, gpu);
    char cpu_text[BE_NOTE], gpu_text[BE_NOTE] = "no GPU was measured", size[BE_WORD];
    time_text(best.cpu, cpu_text);
    if (gpu) {
        time_text(gpu, gpu_text);
    }
    const bool kept = !worth && is_ahead(best.resident, best.cpu);
    be_format_n(size, sizeof size, (double)best.cpu->size);
    snprintf(why, BE_NOTE, "%.40s, %.20s %s: %.60s; %.60s%s: %s%s%s", workload, best.cpu->size_name,
             size, cpu_text, gpu_text, gpu == best.copied && gpu ? ", copies included" : "",
             close ? "too close to call, so " : "", worth ? "a GPU" : "no GPU",
             kept ? " (if your program keeps its data on the GPU: --gpus=1)" : "");
    if (request->gpus == 0 && !request->gpus_given && worth) {
        request->gpus = 1;
    }
    if (request->cpus == 0 && request->gpus == 0) {
        request->cpus = best.cpu->threads;
    }
    /* The data once more beside themselves, and room for the program. */
    request->min_mib = ceil((2 * best.cpu->bytes) / 1048576) + 1024;
    return BE_OK;
}
