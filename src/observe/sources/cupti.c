/*
 * CUPTI, at second hand: the sums that the library in the program writes (inject/), as rates. They
 * come about once a second, and hold until the next; those of a process that wrote none for a while
 * have ended with it.
 */
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/error.h"
#include "observe/sources/gpu_trace.h"
#include "observe/sources/nvidia.h"
#include "observe/sources/sources.h"

enum { FILES_MAX = 64 };
static const double stale_s = 5; /* no writes for so long: killed, or stopped */

/* The work that a process did on one GPU: so far, or between two writes. */
struct sums {
    double kernels, kernel_s, nccl_s, synced_s;
    double in_s, out_s, in_bytes, out_bytes, pageable_bytes;
    struct be_gpu_tally kernel, gap;
};

/* The whole work of a process, up to a write. */
struct done {
    struct sums gpu[BE_GPU_RECORD_DEVICES];
    double syncs, sync_s;
    struct be_gpu_tally launch;
};

struct process {
    char file[128];
    uint64_t sequence, traced_ns;
    double seen_s;                  /* when it last changed */
    double length_s;                /* of the time that `between` is of; 0: none yet */
    double looked_at;               /* share of its time that was */
    int gpu[BE_GPU_RECORD_DEVICES]; /* index in the list; -1: not in it */
    int gpus;
    struct done so_far, before, between; /* `before`: when less of its time had been looked at */
    char reason[192];                    /* it is not traced */
    char max[220];                       /* its kernels with the most time ... */
    double kernel_ns;                    /* ... and that of all */
    double dropped;                      /* records that there was no room for */
    bool ended;
    int pid; /* 0: nothing was read of it yet */
};

/* The report on processes, of all together. */
struct told {
    int traced;
    double kernels, dropped, kernel_ns, min; /* least: share of its time that was looked at */
    char reason[192], max[220];              /* of the last, and of the one with most time */
};

struct cupti {
    struct be_nvidia nvidia;
    const struct be_watched *watched;
    struct process *process[FILES_MAX];
    int processes, unseen;
    struct told gone;              /* of those that gave their place to another */
    bool gone_gpu[BE_DEVICES_MAX]; /* they were on */
    struct be_gpu_record record;   /* the one being read: large */
    struct be_pace pace;
};

/* ---- a record to sums -------------------------------------------------------------------------- */

static struct sums sums_of(const struct be_gpu_device *device) {
    struct sums sums = {.kernels = (double)device->kernels.count,
                        .kernel_s = 1e-9 * (double)device->kernel_ns,
                        .nccl_s = 1e-9 * (double)device->nccl_ns,
                        .synced_s = 1e-9 * (double)device->synced_ns,
                        .kernel = device->kernels,
                        .gap = device->gaps};
    for (int host = 0; host < BE_GPU_HOSTS; host++) {
        const struct be_gpu_copies *in = &device->copies[BE_GPU_TO_DEVICE][host];
        const struct be_gpu_copies *out = &device->copies[BE_GPU_TO_HOST][host];
        sums.in_s += 1e-9 * (double)in->total_ns;
        sums.out_s += 1e-9 * (double)out->total_ns;
        sums.in_bytes += (double)in->bytes;
        sums.out_bytes += (double)out->bytes;
        sums.pageable_bytes += host == BE_GPU_PAGEABLE ? (double)in->bytes + (double)out->bytes : 0;
    }
    return sums;
}

static struct be_gpu_tally tally_between(const struct be_gpu_tally *before,
                                         const struct be_gpu_tally *after) {
    struct be_gpu_tally between = {.count = after->count - before->count,
                                   .total_ns = after->total_ns - before->total_ns};
    for (int i = 0; i < BE_GPU_RECORD_BUCKETS; i++) {
        between.bucket[i] = after->bucket[i] - before->bucket[i];
    }
    return between;
}

static struct sums sums_between(const struct sums *before, const struct sums *after) {
    return (struct sums){.kernels = after->kernels - before->kernels,
                         .kernel_s = after->kernel_s - before->kernel_s,
                         .nccl_s = after->nccl_s - before->nccl_s,
                         .synced_s = after->synced_s - before->synced_s,
                         .in_s = after->in_s - before->in_s,
                         .out_s = after->out_s - before->out_s,
                         .in_bytes = after->in_bytes - before->in_bytes,
                         .out_bytes = after->out_bytes - before->out_bytes,
                         .pageable_bytes = after->pageable_bytes - before->pageable_bytes,
                         .kernel = tally_between(&before->kernel, &after->kernel),
                         .gap = tally_between(&before->gap, &after->gap)};
}

/* By UUID; of a part of a GPU the letters before it differ. -1: not in the list. */
static int gpu_of(const struct cupti *self, const struct be_gpu_device *device) {
    for (int i = 0; i < self->nvidia.gpus; i++) {
        const char *uuid = self->nvidia.gpu[i].info.uuid;
        if (strlen(device->uuid) > 4 && strlen(uuid) > 4 &&
            strcasecmp(device->uuid + 4, uuid + 4) == 0) {
            return i;
        }
    }
    return self->nvidia.gpus == 1 ? 0 : -1;
}

static struct done done_of(const struct be_gpu_record *record) {
    const int waits[] = {BE_GPU_SYNC_EVENT, BE_GPU_SYNC_STREAM, BE_GPU_SYNC_CONTEXT};
    struct done done = {.launch = record->runtime_launches.count > 0 ? record->runtime_launches
                                                                     : record->driver_launches};
    for (size_t i = 0; i < BE_COUNT(waits); i++) {
        done.syncs += (double)record->syncs[waits[i]].count;
        done.sync_s += 1e-9 * (double)record->syncs[waits[i]].total_ns;
    }
    for (uint32_t i = 0; i < record->devices; i++) {
        done.gpu[i] = sums_of(&record->device[i]);
    }
    return done;
}

static struct done done_between(const struct done *before, const struct done *after) {
    struct done between = {.syncs = after->syncs - before->syncs,
                           .sync_s = after->sync_s - before->sync_s,
                           .launch = tally_between(&before->launch, &after->launch)};
    for (int i = 0; i < BE_GPU_RECORD_DEVICES; i++) {
        between.gpu[i] = sums_between(&before->gpu[i], &after->gpu[i]);
    }
    return between;
}

/* Before the first activity nothing could be seen, however long the first window had been open: the
 * start of a program is no part of what was looked at. */
static uint64_t quiet_ns(const struct be_gpu_record *record) {
    uint64_t first = 0;
    for (uint32_t i = 0; i < record->devices; i++) {
        uint64_t ns = record->device[i].first_ns;
        first = ns && (!first || ns < first) ? ns : first;
    }
    uint64_t quiet = first > record->start_ns ? first - record->start_ns : 0;
    return quiet < record->traced_ns ? quiet : record->traced_ns;
}

/* More of its time has been looked at. */
static void take_time(struct process *process, const struct be_gpu_record *record) {
    uint64_t quiet = quiet_ns(record);
    uint64_t from =
        quiet > process->traced_ns && quiet < record->traced_ns ? quiet : process->traced_ns;
    process->length_s = 1e-9 * (double)(record->traced_ns - from);
    process->traced_ns = record->traced_ns;
    process->looked_at = record->now_ns > record->start_ns + quiet
                             ? (double)(record->traced_ns - quiet) /
                                   (double)(record->now_ns - record->start_ns - quiet)
                             : NAN;
    process->before = process->so_far;
}

static void take_record(struct cupti *self, struct process *process, double now_s) {
    const struct be_gpu_record *record = &self->record;
    process->sequence = record->sequence;
    process->seen_s = now_s;
    /* Where nothing was looked at since, what is new is of the time that was: it came late. */
    if (record->traced_ns != process->traced_ns || record->state != BE_GPU_RECORD_RUNNING) {
        take_time(process, record);
    }
    process->ended = record->state != BE_GPU_RECORD_RUNNING;
    process->pid = record->pid;
    process->gpus = (int)record->devices;
    be_copy_text(process->reason, sizeof process->reason, record->reason);
    process->so_far = done_of(record);
    process->between = done_between(&process->before, &process->so_far);
    for (int i = 0; i < process->gpus; i++) {
        process->gpu[i] = gpu_of(self, &record->device[i]);
    }
}

/* ---- the folder -------------------------------------------------------------------------------- */

static void tell(struct told *told, const struct process *process) {
    if (process->reason[0]) {
        be_copy_text(told->reason, sizeof told->reason, process->reason);
    }
    if (!told->max[0] || process->kernel_ns > told->kernel_ns) {
        told->kernel_ns = process->kernel_ns;
        be_copy_text(told->max, sizeof told->max, process->max);
    }
    told->traced += process->sequence > 0 && !process->reason[0];
    told->dropped += process->dropped;
    told->min = process->looked_at < told->min ? process->looked_at : told->min;
    for (int i = 0; i < process->gpus; i++) {
        told->kernels += process->so_far.gpu[i].kernels;
    }
}

/* It said so; or it has written nothing for long, and is no more. */
static bool is_over(const struct process *process, double now_s) {
    const double killed_s = 60;
    double quiet_s = now_s - process->seen_s;
    return process->ended ? quiet_s >= stale_s
                          : process->pid > 0 && quiet_s >= killed_s && kill(process->pid, 0) != 0 &&
                                errno == ESRCH;
}

/* The place of one that has ended and of which nothing more is to come; its file goes, or it would be
 * taken for a new one. NULL: there is none. */
static struct process *place_of_gone(struct cupti *self, double now_s) {
    char path[2048];
    for (int i = 0; i < self->processes; i++) {
        struct process *process = self->process[i];
        int length =
            snprintf(path, sizeof path, "%s/%s", self->watched->trace_folder, process->file);
        if (!is_over(process, now_s) || length >= (int)sizeof path || unlink(path) != 0) {
            continue;
        }
        tell(&self->gone, process);
        for (int k = 0; k < process->gpus; k++) {
            if (process->gpu[k] >= 0) {
                self->gone_gpu[process->gpu[k]] = true;
            }
        }
        memset(process, 0, sizeof *process);
        return process;
    }
    return NULL;
}

static struct process *process_of(struct cupti *self, const char *file, double now_s) {
    for (int i = 0; i < self->processes; i++) {
        if (strcmp(self->process[i]->file, file) == 0) {
            return self->process[i];
        }
    }
    bool capacity = self->processes < FILES_MAX;
    struct process *process = capacity ? calloc(1, sizeof *process) : place_of_gone(self, now_s);
    if (!process) {
        self->unseen++;
        return NULL;
    }
    be_copy_text(process->file, sizeof process->file, file);
    if (capacity) {
        self->process[self->processes++] = process;
    }
    return process;
}

/* The kernels with the most time, for the line about the source: "a (41 %), b (12 %)". */
static void note_kernels(struct process *process, const struct be_gpu_record *record) {
    enum { NAMED = 3, NAME_SHOWN = 60 };
    double all = 0;
    bool named[BE_GPU_RECORD_KERNELS] = {false};
    for (uint32_t i = 0; i < record->kernels; i++) {
        all += (double)record->kernel[i].time.total_ns;
    }
    process->kernel_ns = all;
    process->max[0] = '\0';
    for (int n = 0; n < NAMED && all > 0; n++) {
        uint32_t max = record->kernels;
        for (uint32_t i = 0; i < record->kernels; i++) {
            if (!named[i] && (max == record->kernels || record->kernel[i].time.total_ns >
                                                            record->kernel[max].time.total_ns)) {
                max = i;
            }
        }
        if (max == record->kernels) {
            break;
        }
        char name[BE_GPU_RECORD_NAME];
        size_t used = strlen(process->max);
        named[max] = true;
        be_kernel_name(record->kernel[max].name, name, sizeof name);
        snprintf(process->max + used, sizeof process->max - used, "%s%.*s (%.0f %%)", n ? ", " : "",
                 NAME_SHOWN, name, 100 * (double)record->kernel[max].time.total_ns / all);
    }
}

static void read_file(struct cupti *self, const char *folder, const char *file, double now_s) {
    char path[2048];
    struct process *process = process_of(self, file, now_s);
    if (!process || (size_t)snprintf(path, sizeof path, "%s/%s", folder, file) >= sizeof path) {
        return;
    }
    if (be_gpu_record_sequence(path) > process->sequence &&
        be_gpu_record_load(path, &self->record, NULL) == BE_OK) {
        take_record(self, process, now_s);
        note_kernels(process, &self->record);
        process->dropped = (double)self->record.dropped;
    }
}

static void read_folder(struct cupti *self, double now_s) {
    DIR *folder = opendir(self->watched->trace_folder);
    const struct dirent *entry = NULL;
    self->unseen = 0;
    while (folder && (entry = readdir(folder))) {
        size_t length = strlen(entry->d_name);
        if (strncmp(entry->d_name, "gpu-", 4) == 0 && length > 6 && length < 128 &&
            strcmp(entry->d_name + length - 6, ".trace") == 0) {
            read_file(self, self->watched->trace_folder, entry->d_name, now_s);
        }
    }
    if (folder) {
        closedir(folder);
    }
}

/* ---- sums to values ---------------------------------------------------------------------------- */

/* Rates of one GPU, of all processes on it. */
struct rates {
    bool any;
    double kernels, kernel_share, nccl, in_share, out_share, in, out;
    double pageable, syncs, sync_share, synced;
    struct be_gpu_tally kernel, gap, launch;
};

static void add_tally(struct be_gpu_tally *to, const struct be_gpu_tally *from) {
    to->count += from->count;
    for (int i = 0; i < BE_GPU_RECORD_BUCKETS; i++) {
        to->bucket[i] += from->bucket[i];
    }
}

static void add_process(struct rates *rates, const struct process *process, int at) {
    const struct sums *sums = &process->between.gpu[at];
    double per_s = 1 / process->length_s;
    rates->kernels += sums->kernels * per_s;
    rates->kernel_share += sums->kernel_s * per_s;
    rates->nccl += sums->nccl_s * per_s;
    rates->synced += sums->synced_s * per_s;
    rates->in_share += sums->in_s * per_s;
    rates->out_share += sums->out_s * per_s;
    rates->in += sums->in_bytes * per_s;
    rates->out += sums->out_bytes * per_s;
    rates->pageable += sums->pageable_bytes * per_s;
    rates->syncs += process->between.syncs * per_s;
    rates->sync_share = fmax(rates->sync_share, process->between.sync_s * per_s);
    add_tally(&rates->kernel, &sums->kernel);
    add_tally(&rates->gap, &sums->gap);
    add_tally(&rates->launch, &process->between.launch);
}

static void put_rates(const struct rates *rates, int gpu, struct be_sink *sink) {
    double copied = rates->in + rates->out;
    be_sink_put(sink, BE_GPU_KERNELS, gpu, rates->kernels);
    be_sink_put(sink, BE_GPU_KERNEL_SHARE, gpu, fmin(rates->kernel_share, 1));
    be_sink_put(sink, BE_GPU_NCCL_SHARE, gpu, fmin(rates->nccl, 1));
    be_sink_put(sink, BE_GPU_COPY_IN_SHARE, gpu, fmin(rates->in_share, 1));
    be_sink_put(sink, BE_GPU_COPY_OUT_SHARE, gpu, fmin(rates->out_share, 1));
    be_sink_put(sink, BE_GPU_COPY_IN, gpu, rates->in);
    be_sink_put(sink, BE_GPU_COPY_OUT, gpu, rates->out);
    be_sink_put(sink, BE_GPU_COPY_PAGEABLE, gpu, copied > 0 ? rates->pageable / copied : NAN);
    be_sink_put(sink, BE_GPU_SYNCS, gpu, rates->syncs);
    be_sink_put(sink, BE_GPU_SYNC_GAP, gpu, fmin(rates->synced, 1));
    be_sink_put(sink, BE_GPU_SYNC_SHARE, gpu, fmin(rates->sync_share, 1));
    be_sink_put(sink, BE_GPU_KERNEL_MEDIAN, gpu, be_gpu_tally_median(NULL, &rates->kernel));
    be_sink_put(sink, BE_GPU_GAP_MEDIAN, gpu, be_gpu_tally_median(NULL, &rates->gap));
    be_sink_put(sink, BE_GPU_LAUNCH_MEDIAN, gpu, be_gpu_tally_median(NULL, &rates->launch));
}

/* A process's last report holds until it reports more; that of a process that has ended, as long as the report is
 * of. */
static bool holds(const struct process *process, double now_s) {
    return process->length_s > 0 &&
           now_s - process->seen_s < (process->ended ? fmin(process->length_s, stale_s) : stale_s);
}

static void put_gpu(const struct cupti *self, int gpu, double now_s, struct be_sink *sink) {
    struct rates rates = {.any = self->gone_gpu[gpu]};
    for (int p = 0; p < self->processes; p++) {
        const struct process *process = self->process[p];
        for (int i = 0; i < process->gpus; i++) {
            if (process->gpu[i] != gpu) {
                continue;
            }
            rates.any = true;
            if (holds(process, now_s)) {
                add_process(&rates, process, i);
            }
        }
    }
    if (rates.any) {
        put_rates(&rates, gpu, sink);
    }
}

static void describe(const struct cupti *self, bool last, struct be_sink *sink) {
    struct told told = self->gone;
    for (int p = 0; p < self->processes; p++) {
        tell(&told, self->process[p]);
    }
    if (last && told.traced == 0 && !told.reason[0]) {
        be_sink_absent(sink, BE_GPU_KERNELS,
                       "no process told of itself: none called CUDA, or it was killed at once");
    } else if (told.traced == 0 && told.reason[0]) {
        snprintf(sink->detail, sizeof sink->detail, "trace unavailable: %s", told.reason);
        be_sink_absent(sink, BE_GPU_KERNELS, "trace unavailable: %s", told.reason);
    } else if (told.traced > 0) {
        char part[BE_NAME] = "";
        if (told.min < 0.95) {
            snprintf(part, sizeof part, " in the %.0f %% of the time looked at", 100 * told.min);
        }
        snprintf(sink->detail, sizeof sink->detail, "%d %s, %.0f kernels%s%s%.200s", told.traced,
                 told.traced == 1 ? "process" : "processes", told.kernels, part,
                 told.max[0] ? ", most time in " : "", told.max);
        if (told.reason[0]) {
            be_sink_absent(sink, BE_GPU_KERNELS, "one process is not traced: %s", told.reason);
        }
        if (told.dropped > 0) {
            be_sink_absent(sink, BE_GPU_KERNELS, "%.0f records were dropped for want of room",
                           told.dropped);
        }
        if (self->unseen > 0) {
            be_sink_absent(sink, BE_GPU_KERNELS,
                           "%d processes more than the %d looked at at a time", self->unseen,
                           (int)FILES_MAX);
        }
    }
}

/* ---- a source ---------------------------------------------------------------------------------- */

static void close_cupti(void *self) {
    struct cupti *cupti = self;
    for (int i = 0; i < cupti->processes; i++) {
        free(cupti->process[i]);
    }
    be_nvidia_close(&cupti->nvidia);
    free(cupti);
}

static enum be_status open_cupti(const struct be_watched *watched, void **self,
                                 struct be_error *error) {
    struct cupti *cupti = calloc(1, sizeof *cupti);
    if (!cupti) {
        return be_fail(error, BE_NOMEM, "reading traces of kernels: out of memory");
    }
    enum be_status status = be_nvidia_open(&cupti->nvidia, watched, error);
    if (status != BE_OK) {
        free(cupti);
        return status;
    }
    cupti->watched = watched;
    cupti->gone.min = 1;
    *self = cupti;
    return BE_OK;
}

static int list_gpus(void *self, struct be_trace_gpu *list, int capacity) {
    return be_nvidia_list(&((struct cupti *)self)->nvidia, list, capacity);
}

static enum be_status sample_cupti(void *self, const struct be_moment *moment, struct be_sink *sink,
                                   struct be_error *error) {
    struct cupti *cupti = self;
    (void)error;
    if (be_pace_begin(&cupti->pace, moment)) {
        read_folder(cupti, moment->now_s);
        be_pace_end(&cupti->pace);
    }
    for (int i = 0; i < cupti->nvidia.gpus; i++) {
        put_gpu(cupti, i, moment->now_s, sink);
    }
    describe(cupti, moment->last, sink);
    return BE_OK;
}

const struct be_signal_source be_signal_source_cupti = {
    .name = "cupti",
    .summary = "a trace of kernels, copies and waits in the program (--trace)",
    .foreign = true,
    .on_request = true,
    .open = open_cupti,
    .gpus = list_gpus,
    .sample = sample_cupti,
    .close = close_cupti,
};
