/* A trace -> the figures that rules look at. */
#include "observe/look.h"

#include <math.h>

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

/* NVML's figure is of up to a second, so that shorter gaps only lower it; SM activity is of the tick
 * alone. */
static bool stands(double busy, double sm) {
    return isnan(sm) ? busy < be_t(BE_T_STALLED_GPU)
                     : sm < be_t(BE_T_IDLE) && !(busy >= be_t(BE_T_WAITING_GPU));
}

static double at(const struct be_signal_series *series, int tick) {
    return series ? (double)series->value[tick] : NAN;
}

double be_look_stalled(const struct be_trace *trace, int gpu, double from_s, double to_s,
                       double cores) {
    const struct be_signal_series *busy = be_trace_series(trace, BE_GPU_BUSY, gpu);
    const struct be_signal_series *sm = be_trace_series(trace, BE_GPU_SM_ACTIVE, gpu);
    const struct be_signal_series *cpu = be_trace_series(trace, BE_CPU_BUSY, 0);
    double stalled_s = 0, known_s = 0;
    for (int i = 0; i < trace->ticks; i++) {
        double length_s = be_trace_length(trace, i);
        double middle_s = trace->end_s[i] - length_s / 2;
        bool known = !isnan(at(cpu, i)) && !(isnan(at(busy, i)) && isnan(at(sm, i)));
        if (known && middle_s >= from_s && middle_s <= to_s) {
            bool stalled = stands(at(busy, i), at(sm, i)) && at(cpu, i) >= cores;
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
        double cpu = be_look_mean(trace, BE_PROCESS_CPU, i, from_s, to_s);
        if (!trace->process[i].main && cpu >= cores) {
            workers++;
            sum += cpu;
        }
    }
    *mean = workers ? sum / workers : NAN;
    return workers;
}

/* ---- one GPU --------------------------------------------------------------------------------- */

static double tick_activity(const struct be_trace *trace, int gpu, int tick) {
    static const enum be_signal sign[] = {BE_GPU_BUSY, BE_GPU_SM_ACTIVE, BE_GPU_KERNEL_SHARE};
    double most = NAN;
    for (size_t i = 0; i < sizeof sign / sizeof sign[0]; i++) {
        const struct be_signal_series *series = be_trace_series(trace, sign[i], gpu);
        most = series ? fmax(most, (double)series->value[tick]) : most;
    }
    return most;
}

static void find_window(const struct be_trace *trace, int gpu, struct be_gpu_look *look) {
    look->from_s = look->to_s = NAN;
    for (int i = 0; i < trace->ticks; i++) {
        if (tick_activity(trace, gpu, i) > be_t(BE_T_IDLE)) {
            double begin_s = i ? trace->end_s[i - 1] : 0;
            look->from_s = look->used ? look->from_s : begin_s;
            look->to_s = trace->end_s[i];
            look->used = true;
        }
    }
    look->length_s = look->to_s - look->from_s;
}

void be_look_gpu(const struct be_trace *trace, int gpu, struct be_gpu_look *look) {
    *look = (struct be_gpu_look){0};
    find_window(trace, gpu, look);
    const struct {
        double *to;
        enum be_signal signal;
    } of_gpu[] = {
        {&look->busy, BE_GPU_BUSY},
        {&look->running, BE_GPU_KERNEL_SHARE},
        {&look->sm, BE_GPU_SM_ACTIVE},
        {&look->occupancy, BE_GPU_SM_OCCUPANCY},
        {&look->tensor, BE_GPU_TENSOR},
        {&look->tensor_fp64, BE_GPU_TENSOR_FP64},
        {&look->fp32, BE_GPU_FP32},
        {&look->fp64, BE_GPU_FP64},
        {&look->dram, BE_GPU_DRAM},
        {&look->bus_in, BE_GPU_BUS_IN},
        {&look->bus_out, BE_GPU_BUS_OUT},
        {&look->kernels, BE_GPU_KERNELS},
        {&look->kernel_s, BE_GPU_KERNEL_MEDIAN},
        {&look->pageable, BE_GPU_COPY_PAGEABLE},
        {&look->syncs, BE_GPU_SYNCS},
        {&look->sync_gap, BE_GPU_SYNC_GAP},
        {&look->nccl, BE_GPU_NCCL_SHARE},
    };
    for (size_t i = 0; i < sizeof of_gpu / sizeof of_gpu[0]; i++) {
        *of_gpu[i].to = be_look_mean(trace, of_gpu[i].signal, gpu, look->from_s, look->to_s);
    }
    double in = be_look_mean(trace, BE_GPU_COPY_IN_SHARE, gpu, look->from_s, look->to_s);
    double out = be_look_mean(trace, BE_GPU_COPY_OUT_SHARE, gpu, look->from_s, look->to_s);
    look->copies = isnan(in) || isnan(out) ? fmax(in, out) : in + out;
    look->link = be_look_mean(trace, BE_GPU_LINK_IN, gpu, look->from_s, look->to_s) +
                 be_look_mean(trace, BE_GPU_LINK_OUT, gpu, look->from_s, look->to_s);
    look->running = isnan(look->running) ? look->busy : look->running;
    look->thread = be_look_mean(trace, BE_BUSIEST_THREAD, 0, look->from_s, look->to_s);
    look->blocked = be_look_mean(trace, BE_BLOCKED, 0, look->from_s, look->to_s);
    look->io_pressure = be_look_mean(trace, BE_GROUP_PRESSURE_IO, 0, look->from_s, look->to_s);
}

int be_look_used(const struct be_trace *trace, int gpu) {
    struct be_gpu_look look;
    double own = be_trace_most(trace, BE_GPU_OWN_PROCESSES, gpu);
    be_look_gpu(trace, gpu, &look);
    bool known = enough(trace, be_trace_coverage(trace, BE_GPU_BUSY, gpu) * trace->elapsed_s) ||
                 enough(trace, be_trace_coverage(trace, BE_GPU_SM_ACTIVE, gpu) * trace->elapsed_s);
    if (own < 0.5 &&
        enough(trace, be_trace_coverage(trace, BE_GPU_OWN_PROCESSES, gpu) * trace->elapsed_s)) {
        return 0;
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
    return be_trace_most(trace, BE_GPU_FOREIGN_PROCESSES, gpu) > 0.5;
}

/* ---- the CPU --------------------------------------------------------------------------------- */

double be_look_efficiency(const struct be_trace *trace) {
    double cpu_s = trace->total.user_s + trace->total.system_s;
    double core_s = trace->elapsed_s * trace->limits.cpus;
    return core_s > 0 ? cpu_s / core_s : NAN;
}

double be_look_demand(const struct be_trace *trace) {
    double wait = be_trace_mean(trace, BE_RUN_WAIT, 0);
    double got = be_look_efficiency(trace) * trace->limits.cpus;
    double wanted = wait > 0 && wait < 0.95 ? got / (1 - wait) : got;
    /* Waiting also stretches what would have been a rest: more than were seen wanting it were not. */
    double runnable = be_trace_mean(trace, BE_RUNNABLE, 0);
    return fmax(got, fmin(wanted, runnable));
}
