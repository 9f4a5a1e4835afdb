/* A trace -> the figures that rules look at. */
#include "observe/rules/look.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

/* ---- means over a time ----------------------------------------------------------------------- */

struct span {
    double sum, sum_s;
};

/* The ticks whose middle lies in from_s..to_s. */
static struct span sum_between(const struct be_trace *trace, enum be_signal signal, int of,
                               double from_s, double to_s) {
    const struct be_signal_series *series = be_trace_series(trace, signal, of);
    struct span span = {0};
    for (int i = 0; series && i < trace->ticks; i++) {
        double length_s = be_trace_length(trace, i);
        double middle_s = trace->end_s[i] - length_s / 2;
        if (middle_s >= from_s && middle_s <= to_s && !isnan(series->value[i])) {
            span.sum += length_s * (double)series->value[i];
            span.sum_s += length_s;
        }
    }
    return span;
}

static bool enough(const struct be_trace *trace, double measured_s) {
    double whole_s = trace->ticks ? trace->end_s[trace->ticks - 1] : 0;
    return whole_s > 0 && measured_s > 0 &&
           measured_s / whole_s * trace->samples >= be_t(BE_T_SAMPLES) - 0.5;
}

double be_look_mean(const struct be_trace *trace, enum be_signal signal, int of, double from_s,
                    double to_s) {
    struct span span = sum_between(trace, signal, of, from_s, to_s);
    return enough(trace, span.sum_s) ? span.sum / span.sum_s : NAN;
}

static double at(const struct be_signal_series *series, int tick) {
    return series ? (double)series->value[tick] : NAN;
}

double be_look_stalled(const struct be_trace *trace, int gpu, double from_s, double to_s,
                       double cores) {
    const struct be_signal_series *busy = be_trace_series(trace, BE_GPU_GRAPHICS, gpu);
    busy = busy ? busy : be_trace_series(trace, BE_GPU_BUSY, gpu);
    const struct be_signal_series *cpu = be_trace_series(trace, BE_CPU_BUSY, 0);
    double stalled_s = 0, known_s = 0;
    for (int i = 0; i < trace->ticks; i++) {
        double length_s = be_trace_length(trace, i);
        double middle_s = trace->end_s[i] - length_s / 2;
        bool known = !isnan(at(cpu, i)) && !isnan(at(busy, i));
        if (known && middle_s >= from_s && middle_s <= to_s) {
            bool stalled = at(busy, i) < be_t(BE_T_STALLED_GPU) && at(cpu, i) >= cores;
            known_s += length_s;
            stalled_s += stalled ? length_s : 0;
        }
    }
    return enough(trace, known_s) ? stalled_s / known_s : NAN;
}

int be_look_workers(const struct be_trace *trace, double from_s, double to_s, double cores,
                    double *mean) {
    int workers = 0;
    double sum = 0;
    for (int i = 0; i < trace->processes; i++) {
        const struct be_trace_process *one = &trace->process[i];
        double cpu = be_look_mean(trace, BE_PROCESS_CPU, i, from_s, to_s);
        double there_s = sum_between(trace, BE_PROCESS_CPU, i, from_s, to_s).sum_s;
        bool lasts = there_s >= be_t(BE_T_LASTING) * (to_s - from_s);
        if (!one->main && lasts && !be_look_compiles(one) && cpu >= cores) {
            workers++;
            sum += cpu;
        }
    }
    *mean = workers ? sum / workers : NAN;
    return workers;
}

/* ---- one GPU --------------------------------------------------------------------------------- */

/* A sign of use by GPM is of the tick alone; NVML's is of up to a second; a trace of kernels comes
 * once a second, late. */
enum { SIGNS_OF_USE = 4 };
struct use {
    const struct be_signal_series *sign[SIGNS_OF_USE];
    int first; /* tick at which the best of them begins: others may tell of who was there before us */
    int ended,
        known; /* ticks from `ended` to before `known`: the best of them has nothing more to say, and what
                         the others say may still be of the time before */
};

static int first_known(const struct be_trace *trace, const struct be_signal_series *series) {
    int tick = 0;
    while (tick < trace->ticks && isnan(at(series, tick))) {
        tick++;
    }
    return tick < trace->ticks ? tick : 0;
}

/* After the best sign's last reading, for as long as one of NVML's may be of the time before. */
static void find_end(const struct be_trace *trace, struct use *use) {
    const double nvml_s = 1;
    const struct be_signal_series *best = NULL;
    for (int i = SIGNS_OF_USE - 1; i >= 0; i--) {
        best = use->sign[i] ? use->sign[i] : best;
    }
    use->ended = trace->ticks;
    while (use->ended > 0 && isnan(at(best, use->ended - 1))) {
        use->ended--;
    }
    use->known = use->ended;
    while (use->ended > 0 && use->known < trace->ticks &&
           trace->end_s[use->known] - trace->end_s[use->ended - 1] < nvml_s) {
        use->known++;
    }
}

static struct use find_use(const struct be_trace *trace, int gpu) {
    static const enum be_signal sign[SIGNS_OF_USE] = {BE_GPU_GRAPHICS, BE_GPU_BUSY,
                                                      BE_GPU_SM_ACTIVE, BE_GPU_KERNEL_SHARE};
    struct use use = {0};
    for (int i = SIGNS_OF_USE - 1; i >= 0; i--) {
        use.sign[i] = be_trace_series(trace, sign[i], gpu);
        use.first = use.sign[i] ? first_known(trace, use.sign[i]) : use.first;
    }
    find_end(trace, &use);
    return use;
}

static double tick_activity(const struct use *use, int tick) {
    double value = NAN;
    bool tells = tick >= use->first && (tick < use->ended || tick >= use->known);
    for (int i = 0; i < SIGNS_OF_USE && isnan(value) && tells; i++) {
        value = at(use->sign[i], tick);
    }
    return value > 0 ? value : 0;
}

static double activity_between(const struct be_trace *trace, const struct use *use, double from_s,
                               double to_s) {
    double sum = 0, sum_s = 0;
    for (int i = 0; i < trace->ticks; i++) {
        double length_s = be_trace_length(trace, i), middle_s = trace->end_s[i] - length_s / 2;
        if (middle_s >= from_s && middle_s <= to_s) {
            sum += length_s * tick_activity(use, i);
            sum_s += length_s;
        }
    }
    return sum_s > 0 ? sum / sum_s : NAN;
}

/* Ticks next to each other that one reading of the counters is the mean of: the last of them on the way
 * from `tick` to `end`. */
static int same_reading(const struct use *use, int tick, int end) {
    double activity = tick_activity(use, tick);
    int step = end > tick ? 1 : -1;
    while (tick != end && tick_activity(use, tick + step) == activity) {
        tick += step;
    }
    return tick;
}

/* The ticks that lie in the time looked at. */
static void find_ticks(const struct be_trace *trace, const struct be_gpu_look *look, int *first,
                       int *last) {
    *first = 0;
    *last = trace->ticks - 1;
    while (*first < *last && trace->end_s[*first] <= look->from_s) {
        ++*first;
    }
    while (*last > *first && trace->end_s[*last] > look->to_s) {
        --*last;
    }
}

/* A tick in which use began, or ended, is partly from outside it; and so are all ticks of a reading that reaches
 * across, as the first does where a driver was slow to answer while the program started. In a short run these ticks are
 * many: they would lower every mean. Left out where enough samples are left without. */
static void leave_out_edges(const struct be_trace *trace, int gpu, const struct use *use,
                            struct be_gpu_look *look) {
    int first, last;
    find_ticks(trace, look, &first, &last);
    if (last - first < 2) {
        return;
    }
    double edge = be_t(BE_T_EDGE_TICK) *
                  activity_between(trace, use, trace->end_s[first], trace->end_s[last - 1]);
    bool begins = tick_activity(use, first) < edge, ends = tick_activity(use, last) < edge;
    int begun = same_reading(use, first, last), ending = same_reading(use, last, first);
    double from_s = begins ? trace->end_s[begun] : look->from_s;
    double to_s = ends && ending > begun ? trace->end_s[ending - 1] : look->to_s;
    double measured_s = be_trace_series(trace, BE_GPU_SM_ACTIVE, gpu)
                            ? sum_between(trace, BE_GPU_SM_ACTIVE, gpu, from_s, to_s).sum_s
                            : to_s - from_s;
    if (enough(trace, measured_s)) {
        look->from_s = from_s;
        look->to_s = to_s;
    }
}

/* One reading may be of the whole of use and of the rest before and after it: then no tick shows an
 * edge. NVML is asked apart, and what it calls rest at either end of such a reading is none of use. */
static void leave_out_rest(const struct be_trace *trace, int gpu, const struct use *use,
                           struct be_gpu_look *look) {
    const struct be_signal_series *busy = be_trace_series(trace, BE_GPU_BUSY, gpu);
    const double idle = be_t(BE_T_EDGE);
    int first, last;
    find_ticks(trace, look, &first, &last);
    int begun = same_reading(use, first, last), ending = same_reading(use, last, first);
    int from = first, to = last;
    while (from < begun && at(busy, from) <= idle) {
        from++;
    }
    while (to > ending && at(busy, to) <= idle) {
        to--;
    }
    if (from < to) { /* else it never saw anything run: it does not look all the time */
        look->from_s = from > first ? trace->end_s[from - 1] : look->from_s;
        look->to_s = trace->end_s[to];
    }
}

/* The window of the counters' readings; it begins before use and ends after it where one reaches across. */
struct window {
    double from_s, to_s;
};

/* The window in which something ran; a model that is moved there early, and a last word, are not use: a little of it at
 * either end is cut off. */
static void find_window(const struct be_trace *trace, int gpu, struct be_gpu_look *look,
                        struct window *readings) {
    double all = 0, sum = 0;
    const struct use use = find_use(trace, gpu);
    look->from_s = look->to_s = readings->from_s = readings->to_s = NAN;
    for (int i = 0; i < trace->ticks; i++) {
        double activity = tick_activity(&use, i);
        look->used |= activity > be_t(BE_T_IDLE);
        all += activity * be_trace_length(trace, i);
    }
    for (int i = 0; i < trace->ticks && look->used; i++) {
        double before = sum;
        sum += tick_activity(&use, i) * be_trace_length(trace, i);
        if (before <= be_t(BE_T_EDGE) * all && sum > be_t(BE_T_EDGE) * all) {
            look->from_s = i ? trace->end_s[i - 1] : 0;
        }
        if (before < (1 - be_t(BE_T_EDGE)) * all) {
            look->to_s = trace->end_s[i];
        }
    }
    if (look->used) {
        leave_out_edges(trace, gpu, &use, look);
        *readings = (struct window){look->from_s, look->to_s};
        leave_out_rest(trace, gpu, &use, look);
    }
    look->length_s = look->to_s - look->from_s;
}

enum { SIGNS_TRACED = 4 };
struct traced {
    const struct be_signal_series
        *sign[SIGNS_TRACED]; /* looked up once: there are thousands of ticks */
    double from_s;           /* when use began */
};

static struct traced find_traced(const struct be_trace *trace, int gpu, double from_s) {
    static const enum be_signal sign[SIGNS_TRACED] = {BE_GPU_KERNELS, BE_GPU_COPY_IN,
                                                      BE_GPU_COPY_OUT, BE_GPU_COPY_IN_SHARE};
    struct traced traced = {.from_s = from_s};
    for (int i = 0; i < SIGNS_TRACED; i++) {
        traced.sign[i] = be_trace_series(trace, sign[i], gpu);
    }
    return traced;
}

static bool anything_traced(const struct be_trace *trace, int tick, const void *context) {
    const struct traced *traced = context;
    if (trace->end_s[tick] <= traced->from_s) {
        return false;
    }
    for (int i = 0; i < SIGNS_TRACED; i++) {
        if (at(traced->sign[i], tick) > 0) {
            return true;
        }
    }
    return false;
}

/* A trace of kernels comes up to two seconds after the counters: its mean is over the time since use began
 * in which it says that something ran. */
static double traced_mean(const struct be_trace *trace, enum be_signal signal, int gpu,
                          double from_s) {
    double time_s = 0;
    struct traced traced = find_traced(trace, gpu, from_s);
    double mean = be_trace_mean_where(trace, signal, gpu, anything_traced, &traced, &time_s);
    return enough(trace, time_s) ? mean : NAN;
}

/* The whole count, over the time of use. */
static double counted_mean(const struct be_trace *trace, enum be_signal signal, int gpu,
                           const struct window *readings, const struct be_gpu_look *look) {
    double mean = be_look_mean(trace, signal, gpu, readings->from_s, readings->to_s) *
                  (readings->to_s - readings->from_s) / look->length_s;
    return be_signals[signal].unit == BE_IN_SHARE && mean > 1 ? 1 : mean;
}

void be_look_gpu(const struct be_trace *trace, int gpu, struct be_gpu_look *look) {
    struct window readings;
    *look = (struct be_gpu_look){0};
    find_window(trace, gpu, look, &readings);
    look->busy = be_look_mean(trace, BE_GPU_BUSY, gpu, look->from_s, look->to_s);
    const struct {
        double *to;
        enum be_signal signal;
    } counted[] =
        {
            {&look->running, BE_GPU_GRAPHICS},
            {&look->sm, BE_GPU_SM_ACTIVE},
            {&look->occupancy, BE_GPU_SM_OCCUPANCY},
            {&look->tensor, BE_GPU_TENSOR},
            {&look->tensor_fp64, BE_GPU_TENSOR_FP64},
            {&look->fp32, BE_GPU_FP32},
            {&look->fp64, BE_GPU_FP64},
            {&look->dram, BE_GPU_DRAM},
            {&look->bus_in, BE_GPU_BUS_IN},
            {&look->bus_out, BE_GPU_BUS_OUT},
        },
      traced[] = {
          {&look->kernel_share, BE_GPU_KERNEL_SHARE}, {&look->kernels, BE_GPU_KERNELS},
          {&look->kernel_s, BE_GPU_KERNEL_MEDIAN},    {&look->gap_s, BE_GPU_GAP_MEDIAN},
          {&look->pageable, BE_GPU_COPY_PAGEABLE},    {&look->syncs, BE_GPU_SYNCS},
          {&look->sync_gap, BE_GPU_SYNC_GAP},         {&look->nccl, BE_GPU_NCCL_SHARE},
      };
    for (size_t i = 0; i < sizeof counted / sizeof counted[0]; i++) {
        *counted[i].to = counted_mean(trace, counted[i].signal, gpu, &readings, look);
    }
    for (size_t i = 0; i < sizeof traced / sizeof traced[0]; i++) {
        *traced[i].to = traced_mean(trace, traced[i].signal, gpu, look->from_s);
    }
    double in = traced_mean(trace, BE_GPU_COPY_IN_SHARE, gpu, look->from_s);
    double out = traced_mean(trace, BE_GPU_COPY_OUT_SHARE, gpu, look->from_s);
    look->copies = isnan(in) || isnan(out) ? fmax(in, out) : in + out;
    look->copy_in = in;
    look->copy_out = out;
    look->copy_in_rate = traced_mean(trace, BE_GPU_COPY_IN, gpu, look->from_s) / in;
    look->copy_out_rate = traced_mean(trace, BE_GPU_COPY_OUT, gpu, look->from_s) / out;
    look->link = counted_mean(trace, BE_GPU_LINK_IN, gpu, &readings, look) +
                 counted_mean(trace, BE_GPU_LINK_OUT, gpu, &readings, look);
    look->running = isnan(look->running) ? look->busy : look->running;
    look->running = isnan(look->running) ? look->kernel_share : look->running;
    /* No multiprocessor works while nothing runs. */
    look->sm_max = isnan(look->sm) ? fmin(look->running, look->kernel_share) : look->sm;
    look->thread = be_look_mean(trace, BE_BUSIEST_THREAD, 0, look->from_s, look->to_s);
    look->blocked = be_look_mean(trace, BE_BLOCKED, 0, look->from_s, look->to_s);
    look->io_pressure = be_look_mean(trace, BE_GROUP_PRESSURE_IO, 0, look->from_s, look->to_s);
}

bool be_look_copying(const struct be_trace *trace, const struct be_gpu_look *look, int gpu) {
    double bus = fmax(look->bus_in, look->bus_out) / trace->gpu[gpu].bus_bytes_s;
    return bus >= be_t(BE_T_BUS_LOW) || look->copies >= be_t(BE_T_PAGEABLE_TIME);
}

bool be_look_fed_by_one(const struct be_trace *trace, const struct be_gpu_look *look, int gpu) {
    return isnan(look->kernel_s) && look->thread >= be_t(BE_T_ONE_THREAD) &&
           look->running < be_t(BE_T_BUSY) && !be_look_copying(trace, look, gpu);
}

bool be_look_fetches(const struct be_trace *trace, const struct be_gpu_look *look,
                     double *in_kernel) {
    const double system = be_look_mean(trace, BE_CPU_SYSTEM, 0, look->from_s, look->to_s);
    *in_kernel = system / be_look_mean(trace, BE_CPU_BUSY, 0, look->from_s, look->to_s);
    return *in_kernel >= be_t(BE_T_KERNEL_MODE) &&
           fmax(look->bus_in, look->bus_out) >= be_t(BE_T_SMALL_COPIES);
}

int be_look_used(const struct be_trace *trace, int gpu) {
    struct be_gpu_look look;
    double own = be_trace_max(trace, BE_GPU_OWN_PROCESSES, gpu);
    be_look_gpu(trace, gpu, &look);
    bool known = enough(trace, be_trace_coverage(trace, BE_GPU_BUSY, gpu) * trace->elapsed_s) ||
                 enough(trace, be_trace_coverage(trace, BE_GPU_SM_ACTIVE, gpu) * trace->elapsed_s);
    if (own < 0.5 &&
        enough(trace, be_trace_coverage(trace, BE_GPU_OWN_PROCESSES, gpu) * trace->elapsed_s)) {
        /* Where it ran and nobody is said to have been on it, the driver lists nobody here. */
        bool nobody = be_trace_max(trace, BE_GPU_FOREIGN_PROCESSES, gpu) < 0.5;
        double ran = fmax(be_trace_mean(trace, BE_GPU_BUSY, gpu),
                          be_trace_mean(trace, BE_GPU_GRAPHICS, gpu));
        return nobody && ran > be_t(BE_T_EDGE) ? look.used : 0;
    }
    if (be_look_foreign(trace, gpu)) {
        return own > 0.5 ? 1 : -1;
    }
    return known ? look.used : -1;
}

int be_look_gpus_used(const struct be_trace *trace) {
    int used = 0;
    for (int i = 0; i < trace->gpus; i++) {
        used += be_look_used(trace, i) == 1;
    }
    return used;
}

bool be_look_foreign(const struct be_trace *trace, int gpu) {
    return be_trace_max(trace, BE_GPU_FOREIGN_PROCESSES, gpu) > 0.5;
}

/* ---- what program it is ------------------------------------------------------------------------ */

bool be_look_uses(const struct be_trace *trace, enum be_mapped library) {
    return (be_libraries_read(trace->libraries) & be_library_bit(library)) != 0;
}

/* Parts of NVIDIA's and AMD's compilers, and of those for the host: the whole name. */
bool be_look_compiles(const struct be_trace_process *process) {
    static const char *const name[] = {
        "ptxas",    "cicc",    "nvcc", "cudafe++", "fatbinary", "nvlink", "hipcc",
        "clang",    "clang++", "lld",  "gcc",      "g++",       "cc1",    "cc1plus",
        "collect2", "as",      "ld",   "amdclang", "f951",      "flang",  "rustc"};
    for (size_t i = 0; i < BE_COUNT(name); i++) {
        if (strcmp(process->name, name[i]) == 0) {
            return true;
        }
    }
    return false;
}

bool be_look_builds(const struct be_trace *trace) {
    double all_s = 0, compilers_s = 0;
    for (int i = 0; i < trace->processes; i++) {
        all_s += trace->process[i].cpu_s;
        compilers_s += be_look_compiles(&trace->process[i]) ? trace->process[i].cpu_s : 0;
    }
    return compilers_s > 0.5 * all_s;
}
