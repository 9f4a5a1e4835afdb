/* Numbers of the moment. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "report/live/live.h"

static const double fresh_s = 5; /* how old a number of the moment may be, or two ticks */

/* ---- reading a series ----------------------------------------------------------------------- */

static double end_of(const struct be_trace *trace) {
    return trace->ticks ? trace->end_s[trace->ticks - 1] : 0;
}

double be_live_value(const struct be_trace *trace, enum be_signal signal, int of, double back_s) {
    const struct be_signal_series *series = be_trace_series(trace, signal, of);
    for (int i = trace->ticks - 1; series && i >= 0; i--) {
        if (!isnan(series->value[i])) {
            return (double)series->value[i];
        }
        if (i == 0 || trace->end_s[i - 1] < end_of(trace) - back_s) {
            break;
        }
    }
    return NAN;
}

/* The first tick that ends after `time_s`. */
static int tick_after(const struct be_trace *trace, double time_s) {
    int low = 0, high = trace->ticks;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (trace->end_s[middle] > time_s) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

double be_live_mean(const struct be_trace *trace, enum be_signal signal, int of, double from_s,
                    double to_s) {
    const struct be_signal_series *series = be_trace_series(trace, signal, of);
    double sum = 0, sum_s = 0;
    if (!series) {
        return NAN;
    }
    for (int i = tick_after(trace, from_s); i < trace->ticks; i++) {
        double begin_s = i ? trace->end_s[i - 1] : 0;
        double shared_s = fmin(trace->end_s[i], to_s) - fmax(begin_s, from_s);
        if (begin_s >= to_s) {
            break;
        }
        if (shared_s > 0 && !isnan(series->value[i])) {
            sum += shared_s * (double)series->value[i];
            sum_s += shared_s;
        }
    }
    return sum_s > 0 ? sum / sum_s : NAN;
}

/* The memory counted again when that of several processes is added up: the bytes counted more than once when shared
 * pages were last divided among their users, until then. */
static double counted_again(const struct be_trace *trace, double until_s) {
    const struct be_signal_series *divided = be_trace_series(trace, BE_MEMORY_PSS, 0);
    int tick = divided ? tick_after(trace, until_s) : 0;
    tick = tick < trace->ticks ? tick : trace->ticks - 1;
    while (divided && tick >= 0 && isnan(divided->value[tick])) {
        tick--;
    }
    if (!divided || tick < 0) {
        return 0;
    }
    double again = be_trace_at(trace, BE_MEMORY, 0, tick) - (double)divided->value[tick];
    return again > 0 ? again : 0;
}

/* At least what one of them has: others may have ended since. */
static double divided_memory(const struct be_trace *trace, double sum, double processes,
                             double until_s) {
    return processes > 1.5 ? fmax(sum - counted_again(trace, until_s), sum / processes) : sum;
}

double be_live_figure_mean(const struct be_trace *trace, const struct be_live_figure *figure,
                           double from_s, double to_s) {
    double mean = be_live_mean(trace, figure->signal, figure->of, from_s, to_s);
    if (figure->signal == BE_MEMORY) {
        double processes = be_live_mean(trace, BE_PROCESSES, 0, from_s, to_s);
        return divided_memory(trace, mean, processes, to_s);
    }
    return figure->rest ? figure->full - mean : mean;
}

/* ---- figures -------------------------------------------------------------------------------- */

static double full_cpus(const struct be_trace *trace, int of) {
    (void)of;
    return trace->limits.cpus > 0 ? (double)trace->limits.cpus : (double)NAN;
}

static double full_machine_cpus(const struct be_trace *trace, int of) {
    (void)of;
    return trace->limits.cpus_machine > 0 ? (double)trace->limits.cpus_machine : (double)NAN;
}

static double full_memory(const struct be_trace *trace, int of) {
    (void)of;
    return trace->limits.memory_bytes > 0 ? trace->limits.memory_bytes
                                          : trace->limits.memory_machine_bytes;
}

static double full_machine_memory(const struct be_trace *trace, int of) {
    (void)of;
    return trace->limits.memory_machine_bytes;
}

static double full_share(const struct be_trace *trace, int of) {
    (void)trace;
    (void)of;
    return 1;
}

static double full_gpu_memory(const struct be_trace *trace, int of) {
    return trace->gpu[of].memory_bytes;
}

static double full_gpu_bus(const struct be_trace *trace, int of) {
    return trace->gpu[of].bus_bytes_s;
}

static double full_gpu_power(const struct be_trace *trace, int of) {
    return trace->gpu[of].power_limit_w;
}

static double full_unknown(const struct be_trace *trace, int of) {
    (void)trace;
    (void)of;
    return NAN;
}

struct kind {
    const char *key, *label;
    enum be_signal signal;
    double (*full)(const struct be_trace *trace, int of);
    bool rest;
};

static const struct kind of_program[] = {
    {"cpu", "CPU", BE_CPU_BUSY, full_cpus, false},
    {"memory", "memory", BE_MEMORY, full_memory, false},
    {"read", "read", BE_READ, full_unknown, false},
    {"written", "written", BE_WRITTEN, full_unknown, false},
};

static const struct kind of_node[] = {
    {"cpu", "CPU", BE_NODE_CPU, full_machine_cpus, false},
    {"memory", "memory", BE_NODE_MEMORY_AVAILABLE, full_machine_memory, true},
    {"read", "read", BE_READ, full_unknown, false},
    {"written", "written", BE_WRITTEN, full_unknown, false},
};

static const struct kind of_gpu[] = {
    {"gpu_busy", "running kernels", BE_GPU_BUSY, full_share, false},
    {"gpu_sm", "SM activity", BE_GPU_SM_ACTIVE, full_share, false},
    {"gpu_occupancy", "occupancy", BE_GPU_SM_OCCUPANCY, full_share, false},
    {"gpu_tensor", "tensor", BE_GPU_TENSOR, full_share, false},
    {"gpu_fp64", "FP64", BE_GPU_FP64, full_share, false},
    {"gpu_fp32", "FP32", BE_GPU_FP32, full_share, false},
    {"gpu_fp16", "FP16", BE_GPU_FP16, full_share, false},
    {"gpu_dram", "memory bandwidth", BE_GPU_DRAM, full_share, false},
    {"gpu_memory", "memory", BE_GPU_MEMORY, full_gpu_memory, false},
    {"gpu_own_memory", "memory of the program", BE_GPU_OWN_MEMORY, full_gpu_memory, false},
    {"gpu_bus_in", "bus in", BE_GPU_BUS_IN, full_gpu_bus, false},
    {"gpu_bus_out", "bus out", BE_GPU_BUS_OUT, full_gpu_bus, false},
    {"gpu_power", "power", BE_GPU_POWER, full_gpu_power, false},
    {"gpu_temperature", "temperature", BE_GPU_TEMPERATURE, full_unknown, false},
    {"gpu_clock", "clock", BE_GPU_CLOCK, full_unknown, false},
};

_Static_assert(BE_COUNT(of_program) <= 8 && BE_COUNT(of_node) <= 8 && BE_COUNT(of_gpu) <= 16,
               "BE_LIVE_FIGURES_MAX is too small");

/* "3.1", "12" */
static const char *short_number(char *to, size_t capacity, double value) {
    snprintf(to, capacity, value < 9.95 ? "%.1f" : "%.0f", value);
    return to;
}

static void of_full(char *to, size_t capacity, bool filled, double full) {
    to[0] = '\0';
    if (filled) {
        snprintf(to, capacity, " of %.0f", full);
    }
}

/* "6.1 of 8 cores (76 %)", "31 %", "3.1 GB of 141 GB (2 %)", "412 of 700 W" */
static void describe(struct be_live_figure *figure) {
    char value[BE_WORD], full[BE_WORD], share[BE_WORD] = "";
    char *to = figure->text;
    size_t capacity = sizeof figure->text;
    bool filled = figure->full > 0;
    if (isnan(figure->value)) {
        be_copy_text(to, capacity, "not measured");
        return;
    }
    if (filled) {
        const double percent = 100 * figure->value / figure->full;
        const bool little = percent > 0 && percent < 0.5 && figure->signal == BE_MEMORY;
        snprintf(share, sizeof share, little ? " (<1 %%)" : " (%.0f %%)", percent);
    }
    switch (be_signals[figure->signal].unit) {
    case BE_IN_CORES:
        short_number(value, sizeof value, figure->value);
        of_full(full, sizeof full, filled, figure->full);
        snprintf(to, capacity, "%s%s core%s%s", value, full,
                 filled && figure->full < 1.5 ? "" : "s", share);
        break;
    case BE_IN_SHARE:
        snprintf(to, capacity, "%.0f %%", 100 * figure->value);
        break;
    case BE_IN_BYTES:
        be_format_bytes(value, sizeof value, figure->value, "");
        be_format_bytes(full, sizeof full, figure->full, "");
        snprintf(to, capacity, "%s%s%s%s", value, filled ? " of " : "", filled ? full : "", share);
        break;
    case BE_IN_BYTES_S:
        be_format_rate(to, capacity, figure->value, "");
        break;
    case BE_IN_WATTS:
        of_full(full, sizeof full, filled, figure->full);
        snprintf(to, capacity, "%.0f%s W", figure->value, full);
        break;
    case BE_IN_CELSIUS:
        snprintf(to, capacity, "%.0f C", figure->value);
        break;
    case BE_IN_HERTZ:
        be_format_hertz(to, capacity, figure->value, "");
        break;
    default:
        be_format_count(to, capacity, figure->value, "");
    }
}

static double newest_back_s(const struct be_trace *trace) {
    double length_s = trace->ticks ? be_trace_length(trace, trace->ticks - 1) : 0;
    return fmax(fresh_s, 2 * length_s);
}

static void fill(const struct be_trace *trace, const struct kind *kind, int of,
                 struct be_live_figure *figure) {
    *figure = (struct be_live_figure){.key = kind->key,
                                      .label = kind->label,
                                      .signal = kind->signal,
                                      .of = of,
                                      .full = kind->full(trace, of),
                                      .rest = kind->rest};
    figure->value = be_live_value(trace, kind->signal, of, newest_back_s(trace));
    if (kind->signal == BE_MEMORY) {
        double processes = be_live_value(trace, BE_PROCESSES, 0, newest_back_s(trace));
        figure->value = divided_memory(trace, figure->value, processes, end_of(trace));
    }
    figure->value = kind->rest ? figure->full - figure->value : figure->value;
    describe(figure);
}

int be_live_figures(const struct be_live_scene *scene,
                    struct be_live_figure list[BE_LIVE_FIGURES_MAX]) {
    const struct be_trace *trace = scene->trace;
    const struct kind *kind = scene->node ? of_node : of_program;
    int count = 0;
    for (size_t i = 0; i < (scene->node ? BE_COUNT(of_node) : BE_COUNT(of_program)); i++) {
        fill(trace, &kind[i], 0, &list[count++]);
    }
    for (int gpu = 0; gpu < trace->gpus; gpu++) {
        for (size_t i = 0; i < BE_COUNT(of_gpu); i++) {
            if (be_trace_series(trace, of_gpu[i].signal, gpu)) {
                fill(trace, &of_gpu[i], gpu, &list[count++]);
            }
        }
    }
    return count;
}

const struct be_live_figure *be_live_figure(const struct be_live_figure *list, int count,
                                            const char *key, int of) {
    for (int i = 0; i < count; i++) {
        if (list[i].of == of && strcmp(list[i].key, key) == 0) {
            return &list[i];
        }
    }
    return NULL;
}
