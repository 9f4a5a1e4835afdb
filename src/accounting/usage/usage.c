#include "accounting/usage/usage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* The thresholds are near those of Princeton's Job Defense Shield, whose alerts they cover (docs/summary.md). */
static const double gib = 1073741824.0;
static const double shortest_s = 300;

static const struct {
    const char *name, *title;
} kinds[BE_USAGE_KINDS] = {
    [BE_USAGE_GPU_UNUSED] = {"gpu-unused", "GPUs that did nothing at all"},
    [BE_USAGE_CPU_UNUSED] = {"cpu-unused", "below 1 % of the cores' time, without a GPU"},
    [BE_USAGE_GPU_LOW] = {"gpu-low", "GPUs busy for below 15 % of the time"},
    [BE_USAGE_GPU_TOO_LARGE] = {"gpu-too-large",
                                "a large GPU busy for below half of the time, with 10 GiB at most"},
    [BE_USAGE_ONE_CORE] = {"one-core", "several cores, and work for one"},
    [BE_USAGE_CPU_LOW] = {"cpu-low", "below half of the cores' time, without a GPU"},
    [BE_USAGE_GPUS_SCATTERED] = {"gpus-scattered", "one GPU on each of several nodes"},
    [BE_USAGE_NODES_SCATTERED] = {"nodes-scattered",
                                  "fewer than 8 cores on each of several nodes, without GPUs"},
    [BE_USAGE_CORES_PER_GPU] = {"cores-per-gpu",
                                "8 cores or more for a GPU, below a quarter of them used"},
    [BE_USAGE_MEMORY_PER_GPU] = {"memory-per-gpu",
                                 "64 GiB or more for a GPU, below a quarter of it used"},
    [BE_USAGE_MEMORY_EXCESS] = {"memory-excess",
                                "8 GiB or more not used, which is above three quarters"},
    [BE_USAGE_TIME_EXCESS] = {"time-excess",
                              "a limit of 4 hours or more, below a fifth of it needed"},
    [BE_USAGE_OUT_OF_MEMORY] = {"out-of-memory", "ended for want of memory"},
    [BE_USAGE_TIMEOUT] = {"timeout", "ended at its time limit"},
    [BE_USAGE_FAILED] = {"failed", "ended with an error"},
};

const char *be_usage_kind_name(enum be_usage_kind kind) {
    return kinds[kind].name;
}

const char *be_usage_kind_title(enum be_usage_kind kind) {
    return kinds[kind].title;
}

/* ---- one job ----------------------------------------------------------------------------------- */

static bool is_large(const char *gpu) {
    static const char *const models[] = {"a100", "h100", "h200", "b200", "gh200", "mi250", "mi300"};
    for (size_t i = 0; i < BE_COUNT(models); i++) {
        if (strcasestr(gpu, models[i])) {
            return true;
        }
    }
    return false;
}

static void mark_gpus(const struct be_account *account, double cpu, double memory, int *of) {
    const double each = account->gpus / account->node_count;
    of[BE_USAGE_GPU_UNUSED] = account->gpu_busy <= 0;
    of[BE_USAGE_GPU_LOW] = account->gpu_busy > 0 && account->gpu_busy < 0.15;
    of[BE_USAGE_GPU_TOO_LARGE] = account->gpu_busy > 0 && account->gpu_busy < 0.5 &&
                                 account->gpu_memory < 10 * gib && is_large(account->gpu_type);
    of[BE_USAGE_GPUS_SCATTERED] = account->node_count > 1 && each <= 1;
    of[BE_USAGE_CORES_PER_GPU] = account->cpus >= 8 * account->gpus && cpu < 0.25;
    of[BE_USAGE_MEMORY_PER_GPU] = account->asked_bytes >= 64 * gib * account->gpus && memory < 0.25;
}

static void mark_cores(const struct be_account *account, double cpu, int *of) {
    const double cores = account->cpu_s / account->elapsed_s;
    of[BE_USAGE_CPU_UNUSED] = cpu < 0.01;
    of[BE_USAGE_ONE_CORE] = cpu >= 0.01 && account->cpus > 1 && cores <= 1.1 && cpu < 0.6;
    of[BE_USAGE_CPU_LOW] = cpu >= 0.01 && cpu < 0.5 && cores > 1.1;
    of[BE_USAGE_NODES_SCATTERED] =
        account->node_count > 1 && account->cpus < 8 * account->node_count;
}

/* Comparisons with NAN are false: nothing is said of what is not known, nor of waste where Slurm looked less than ten
 * times. */
static void mark(const struct be_account *account, int *of) {
    const double cpu = be_account_cpu_efficiency(account);
    const double memory = be_account_memory_efficiency(account);
    const double lost = account->asked_bytes - account->memory_bytes;
    const bool judged = account->elapsed_s >= shortest_s;
    if (judged && account->gpus > 0) {
        mark_gpus(account, cpu, memory, of);
    } else if (judged) {
        mark_cores(account, cpu, of);
    }
    of[BE_USAGE_MEMORY_EXCESS] =
        judged && memory < 0.25 && lost >= 8 * gib && !of[BE_USAGE_MEMORY_PER_GPU];
    of[BE_USAGE_TIME_EXCESS] = account->state == BE_JOB_COMPLETED &&
                               account->limit_s >= 4 * 3600.0 &&
                               account->elapsed_s < 0.2 * account->limit_s;
    of[BE_USAGE_OUT_OF_MEMORY] = account->state == BE_JOB_OUT_OF_MEMORY;
    of[BE_USAGE_TIMEOUT] = account->state == BE_JOB_TIMEOUT;
    of[BE_USAGE_FAILED] = account->state == BE_JOB_FAILED;
}

/* NAN becomes 0, for a sum over what is known. */
static double known(double value) {
    return isnan(value) ? 0 : value;
}

static struct be_usage usage_of(const struct be_account *account) {
    const double gpus = account->gpus > 0 ? account->gpus : 0, seconds = account->elapsed_s;
    const double share = gpus > 0 ? account->gpu_busy : be_account_cpu_efficiency(account);
    const bool cpu = !isnan(account->cpu_s), gpu = gpus > 0 && !isnan(account->gpu_busy);
    const bool memory = !isnan(be_account_memory_efficiency(account));
    struct be_usage usage = {
        .jobs = 1,
        .cpus = account->cpus,
        .nodes = account->node_count,
        .gpus = gpus,
        .elapsed_s = seconds,
        .core_s = cpu ? seconds * account->cpus : 0,
        .cpu_s = known(account->cpu_s),
        .gpu_s = gpu ? seconds * gpus : 0,
        .gpu_used_s = gpu ? seconds * gpus * account->gpu_busy : 0,
        .memory_asked_byte_s = memory ? seconds * account->asked_bytes : 0,
        .memory_used_byte_s = memory ? seconds * account->memory_bytes : 0,
        .billed_s = seconds * account->billing,
        .billed_known_s = isnan(share) ? 0 : seconds * account->billing,
        .unused_s = seconds * account->billing * fmax(0, 1 - share),
    };
    usage.unused_s = isnan(share) ? NAN : usage.unused_s;
    be_copy_text(usage.id, sizeof usage.id, account->id);
    be_copy_text(usage.name, sizeof usage.name, account->name);
    be_copy_text(usage.user, sizeof usage.user, account->user);
    be_copy_text(usage.account, sizeof usage.account, account->account);
    be_copy_text(usage.partition, sizeof usage.partition, account->partition);
    be_copy_text(usage.state, sizeof usage.state, be_job_state_name(account->state));
    mark(account, usage.of_kind);
    return usage;
}

enum be_status be_usage_add(struct be_usage_list *list, const struct be_account *account,
                            struct be_error *error) {
    if (!(account->elapsed_s > 0) || account->state == BE_JOB_PENDING) {
        return BE_OK;
    }
    if (list->rows == list->room) {
        const size_t room = list->room ? 2 * list->room : 256;
        struct be_usage *more = realloc(list->row, room * sizeof *more);
        if (!more) {
            return be_fail(error, BE_NOMEM, "summary: no host memory for %zu jobs", room);
        }
        list->row = more;
        list->room = room;
    }
    list->row[list->rows++] = usage_of(account);
    return BE_OK;
}

/* ---- rows -------------------------------------------------------------------------------------- */

/* The jobs of one row have the same of this. */
static void key_of(const struct be_usage *usage, enum be_usage_by by, char to[BE_NOTE]) {
    const char *const texts[] = {[BE_BY_ARRAY] = usage->id,
                                 [BE_BY_JOB] = usage->id,
                                 [BE_BY_USER] = usage->user,
                                 [BE_BY_ACCOUNT] = usage->account,
                                 [BE_BY_PARTITION] = usage->partition};
    be_copy_text(to, BE_NOTE, texts[by]);
    if (by == BE_BY_ARRAY) {
        to[strcspn(to, "_")] = '\0';
    }
}

static void add(struct be_usage *to, const struct be_usage *from) {
    to->jobs += from->jobs;
    to->cpus = from->cpus > to->cpus ? from->cpus : to->cpus;
    to->nodes = from->nodes > to->nodes ? from->nodes : to->nodes;
    to->gpus = fmax(to->gpus, from->gpus);
    to->elapsed_s += from->elapsed_s;
    to->core_s += from->core_s;
    to->cpu_s += from->cpu_s;
    to->gpu_s += from->gpu_s;
    to->gpu_used_s += from->gpu_used_s;
    to->memory_asked_byte_s += from->memory_asked_byte_s;
    to->memory_used_byte_s += from->memory_used_byte_s;
    to->billed_s += from->billed_s;
    to->billed_known_s += from->billed_known_s;
    to->unused_s = isnan(to->unused_s)     ? from->unused_s
                   : isnan(from->unused_s) ? to->unused_s
                                           : to->unused_s + from->unused_s;
    for (int i = 0; i < BE_USAGE_KINDS; i++) {
        to->of_kind[i] += from->of_kind[i];
    }
}

static double share_of(double part, double whole) {
    return whole > 0 ? part / whole : NAN;
}

static void end_row(struct be_usage *usage) {
    size_t length = 0;
    usage->cpu_efficiency = share_of(usage->cpu_s, usage->core_s);
    usage->gpu_efficiency = share_of(usage->gpu_used_s, usage->gpu_s);
    usage->memory_efficiency = share_of(usage->memory_used_byte_s, usage->memory_asked_byte_s);
    usage->kinds[0] = '\0';
    for (int i = 0; i < BE_USAGE_KINDS; i++) {
        if (usage->of_kind[i] && length + 24 < sizeof usage->kinds) {
            length += (size_t)snprintf(usage->kinds + length, sizeof usage->kinds - length, "%s%s",
                                       length ? "," : "", kinds[i].name);
        }
    }
}

static int by_key(const void *a, const void *b, void *by) {
    char one[BE_NOTE], other[BE_NOTE];
    key_of(a, *(const enum be_usage_by *)by, one);
    key_of(b, *(const enum be_usage_by *)by, other);
    const int order = strcmp(one, other);
    return order ? order
                 : strcmp(((const struct be_usage *)a)->id, ((const struct be_usage *)b)->id);
}

static int by_unused(const void *a, const void *b) {
    const struct be_usage *one = a, *other = b;
    const double of_one = isnan(one->unused_s) ? -1 : one->unused_s;
    const double of_other = isnan(other->unused_s) ? -1 : other->unused_s;
    return of_one > of_other ? -1 : of_one < of_other ? 1 : strcmp(one->id, other->id);
}

/* A row has no more of its first job than all of its jobs have in common. */
static void name_row(struct be_usage *usage, enum be_usage_by by, const char *key) {
    if (by == BE_BY_ARRAY && usage->jobs > 1) {
        snprintf(usage->id, sizeof usage->id, "%.60s x%d", key, usage->jobs);
    } else if (by != BE_BY_ARRAY && by != BE_BY_JOB) {
        be_copy_text(usage->id, sizeof usage->id, *key ? key : "not told");
        usage->name[0] = usage->state[0] = '\0';
        if (by != BE_BY_USER) {
            usage->user[0] = '\0';
        }
        if (by != BE_BY_ACCOUNT) {
            usage->account[0] = '\0';
        }
        if (by != BE_BY_PARTITION) {
            usage->partition[0] = '\0';
        }
    }
}

void be_usage_finish(struct be_usage_list *list, enum be_usage_by by) {
    size_t rows = 0;
    if (list->rows > 1) {
        qsort_r(list->row, list->rows, sizeof *list->row, by_key, &by);
    }
    for (size_t i = 0; i < list->rows;) {
        struct be_usage row = list->row[i];
        char key[BE_NOTE], next[BE_NOTE];
        key_of(&row, by, key);
        for (i++; i < list->rows; i++) {
            key_of(&list->row[i], by, next);
            if (strcmp(key, next) != 0) {
                break;
            }
            add(&row, &list->row[i]);
        }
        name_row(&row, by, key);
        end_row(&row);
        list->row[rows++] = row;
    }
    list->rows = rows;
    list->total = (struct be_usage){.unused_s = NAN};
    for (size_t i = 0; i < rows; i++) {
        add(&list->total, &list->row[i]);
    }
    end_row(&list->total);
    if (rows > 1) {
        qsort(list->row, rows, sizeof *list->row, by_unused);
    }
}

void be_usage_free(struct be_usage_list *list) {
    free(list->row);
    *list = (struct be_usage_list){0};
}
