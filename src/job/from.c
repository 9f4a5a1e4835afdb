/* A saved comparison -> requests of a job: GPU or not, threads, memory. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "job/job.h"
#include "stat/stat.h"

/* NULL: it is no GPU. */
static const struct be_device_info *gpu_of(const struct be_comparison *comparison,
                                           const char *device) {
    for (int i = 0; i < comparison->machine.devices; i++) {
        const struct be_device_info *info = &comparison->machine.device[i];
        if (strcmp(info->id, device) == 0) {
            return info->kind == BE_KIND_GPU ? info : NULL;
        }
    }
    return NULL;
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

/* Results to choose among: those of one workload, and of GPUs those that are as near as can be had. One that was measured
 * here counts before one that was measured elsewhere, and that before a prediction. */
struct among {
    const struct be_comparison *comparison;
    const char *workload;
    enum be_origin origin; /* BE_ORIGINS: there is no GPU */
};

static struct among among_of(const struct be_comparison *comparison, const char *workload) {
    struct among among = {comparison, workload, BE_ORIGINS};
    for (size_t i = 0; i < comparison->results; i++) {
        const struct be_result *one = &comparison->result[i];
        const struct be_device_info *gpu = gpu_of(comparison, one->device);
        if (gpu && one->placement != BE_HOST && counts(one, workload) &&
            gpu->origin < among.origin) {
            among.origin = gpu->origin;
        }
    }
    return among;
}

static bool on_gpu(const struct among *among, const struct be_result *one) {
    const struct be_device_info *gpu = gpu_of(among->comparison, one->device);
    return gpu && gpu->origin == among->origin;
}

/* The best times at one size, in one state of the caches; a result that fits no cache counts with those that do. Without a time on the
 * most threads there is no CPU: fewer are no baseline in good faith, as for the break-even. */
static struct bests bests_of(const struct among *among, uint64_t size, enum be_cache cache) {
    const struct be_comparison *comparison = among->comparison;
    const char *workload = among->workload;
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
        } else if (one->placement == BE_COPY && on_gpu(among, one)) {
            best.copied = faster(best.copied, one);
        } else if (one->placement == BE_RESIDENT && on_gpu(among, one)) {
            best.resident = faster(best.resident, one);
        }
    }
    best.cpu = whole ? best.cpu : NULL;
    return best;
}

/* The best times at the largest size that a CPU and, where any was measured, a GPU have; those of
 * hot caches where there are such results: programs mostly call again what they called before. */
static struct bests find_bests(const struct among *among) {
    const struct be_comparison *comparison = among->comparison;
    const char *workload = among->workload;
    struct bests found = {0};
    for (int with_gpu = 1; with_gpu >= 0 && !found.cpu; with_gpu--) {
        uint64_t size = 0;
        for (size_t i = 0; i < comparison->results; i++) {
            const struct be_result *one = &comparison->result[i];
            for (int cache = BE_HOT; cache <= BE_COLD && counts(one, workload); cache++) {
                const struct bests best = bests_of(among, one->size, (enum be_cache)cache);
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

/* ---- in words ------------------------------------------------------------------------------- */

static void say_time(const struct be_comparison *comparison, const struct be_result *result,
                     struct be_text *out) {
    static const char *const from[BE_ORIGINS] = {"", " (measured elsewhere)", " (predicted)"};
    const struct be_device_info *gpu = gpu_of(comparison, result->device);
    char time[BE_WORD];
    be_text_add(out, "%s%s", result->device, gpu ? from[gpu->origin] : "");
    if (result->placement == BE_HOST) {
        be_text_add(out, " with %d thread%s", result->threads, result->threads > 1 ? "s" : "");
    }
    be_format_seconds(time, sizeof time, result->phase[BE_TOTAL].median_s, "-");
    be_text_add(out, " %s", time);
}

/* A cluster may have another GPU than the fastest that is known: those that would give another answer. */
static void say_others(const struct among *among, const struct bests *best, bool worth,
                       struct be_text *out) {
    const struct be_comparison *comparison = among->comparison;
    const char *comma = worth ? "; not beyond doubt on " : "; ahead on ";
    for (int i = 0; i < comparison->machine.devices; i++) {
        const struct be_device_info *info = &comparison->machine.device[i];
        const struct be_result *there = NULL;
        for (size_t k = 0; k < comparison->results; k++) {
            const struct be_result *one = &comparison->result[k];
            const bool like = one->size == best->cpu->size && one->cache == best->copied->cache &&
                              one->placement == BE_COPY && counts(one, among->workload);
            there = like && strcmp(one->device, info->id) == 0 ? faster(there, one) : there;
        }
        if (there && info->kind == BE_KIND_GPU && info->origin != BE_ORIGIN_HERE &&
            is_ahead(there, best->cpu) != worth) {
            be_text_add(out, "%s", comma);
            say_time(comparison, there, out);
            comma = ", ";
        }
    }
}

static void say_why(const struct among *among, const struct bests *best, bool worth,
                    char why[BE_NOTE]) {
    const struct be_result *gpu = best->copied ? best->copied : best->resident;
    char size[BE_WORD];
    struct be_text text = {0};
    be_format_n(size, sizeof size, (double)best->cpu->size);
    be_text_add(&text, "%s, %s %s: ", among->workload, best->cpu->size_name, size);
    say_time(among->comparison, best->cpu, &text);
    be_text_add(&text, "; ");
    if (!gpu) {
        be_text_add(&text, "no GPU was measured, so --gpus decides");
    } else {
        const bool close = !worth && !is_ahead(best->cpu, gpu);
        const bool kept = !worth && is_ahead(best->resident, best->cpu);
        say_time(among->comparison, gpu, &text);
        be_text_add(&text, "%s: %s%s%s", best->copied ? ", copies included" : "",
                    close ? "too close to call, so " : "", worth ? "a GPU" : "no GPU",
                    kept ? " (if your program keeps its data on the GPU: --gpus=1)" : "");
    }
    if (best->copied) {
        say_others(among, best, worth, &text);
    }
    be_copy_text(why, BE_NOTE, text.data ? text.data : "");
    be_text_free(&text);
}

/* A machine without a GPU says nothing of one. */
static enum be_status no_gpu_known(const char *workload, const struct bests *best,
                                   struct be_error *error) {
    char size[BE_WORD], time[BE_WORD];
    be_format_n(size, sizeof size, (double)best->cpu->size);
    be_format_seconds(time, sizeof time, best->cpu->phase[BE_TOTAL].median_s, "-");
    return be_fail(
        error, BE_USAGE,
        "--from: %.40s, %.20s %s: the CPU with %d thread%s takes %s, and nothing is "
        "known of a GPU: the comparison has no time of one. Say --gpus=1 or --gpus=0, or "
        "compare again on a machine that has one, or with --elsewhere=h100 (`breakeven "
        "machines` lists such machines)",
        workload, best->cpu->size_name, size, best->cpu->threads, best->cpu->threads > 1 ? "s" : "",
        time);
}

enum be_status be_job_from(const struct be_comparison *comparison, const char *workload,
                           struct be_job_request *request, char why[BE_NOTE],
                           struct be_error *error) {
    enum be_status status = choose_workload(comparison, &workload, error);
    if (status != BE_OK) {
        return status;
    }
    const struct among among = among_of(comparison, workload);
    const struct bests best = find_bests(&among);
    if (!best.cpu) {
        return be_fail(error, BE_USAGE, "--from: %s has no result that counts on the CPU",
                       workload);
    }
    const struct be_result *gpu = best.copied ? best.copied : best.resident;
    if (!gpu && request->gpus == 0 && !request->gpus_given) {
        return no_gpu_known(workload, &best, error);
    }
    const bool worth = is_ahead(gpu, best.cpu);
    say_why(&among, &best, worth, why);
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
