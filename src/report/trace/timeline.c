#include "report/trace/timeline.h"

#include <math.h>
#include <stdio.h>

#include "base/error.h"

/* Less than that is no traffic worth a lane. */
static const double traffic_bytes_s = 1e6;

double be_timeline_value(const struct be_trace *trace, const struct be_signal_series *series,
                         double from_s, double to_s) {
    const bool most = be_signals[series->signal].merge == BE_MERGE_MAX;
    double sum = 0, sum_s = 0, begin_s = 0, max = NAN;
    for (int i = 0; i < trace->ticks && begin_s < to_s; i++) {
        double end_s = trace->end_s[i];
        double shared_s = fmin(end_s, to_s) - fmax(begin_s, from_s);
        if (shared_s > 0 && !isnan(series->value[i])) {
            sum += shared_s * (double)series->value[i];
            sum_s += shared_s;
            max = fmax(max, (double)series->value[i]);
        }
        begin_s = end_s;
    }
    return most ? max : sum_s > 0 ? sum / sum_s : NAN;
}

static void add_lane(const struct be_trace *trace, struct be_lane lane[BE_LANES_MAX], int *lanes,
                     struct be_lane one) {
    const double max = be_trace_max(trace, one.signal, one.of);
    if (*lanes == BE_LANES_MAX || !isfinite(max)) {
        return;
    }
    if (!(one.full > 0) || !isfinite(one.full)) {
        one.full = max > 0 ? max : 1;
    }
    one.gpu = be_signals[one.signal].scope == BE_OF_GPU;
    lane[(*lanes)++] = one;
}

static void add_of_gpu(const struct be_trace *trace, int gpu, struct be_lane lane[BE_LANES_MAX],
                       int *lanes) {
    static const struct {
        enum be_signal signal;
        const char *name;
    } shown[] = {{BE_GPU_BUSY, "running kernels"},
                 {BE_GPU_SM_ACTIVE, "SM activity"},
                 {BE_GPU_MEMORY, "memory"}};
    for (size_t i = 0; i < BE_COUNT(shown); i++) {
        struct be_lane one = {
            .signal = shown[i].signal,
            .of = gpu,
            .full = shown[i].signal == BE_GPU_MEMORY ? trace->gpu[gpu].memory_bytes : 1};
        snprintf(one.name, sizeof one.name, "GPU %d: %s", gpu, shown[i].name);
        add_lane(trace, lane, lanes, one);
    }
}

int be_timeline_lanes(const struct be_trace *trace, struct be_lane lane[BE_LANES_MAX]) {
    const struct be_trace_limits *limits = &trace->limits;
    int lanes = 0;
    struct be_lane cpu = {
        .name = "CPU: cores busy", .signal = BE_CPU_BUSY, .full = limits->cpus ? limits->cpus : 1};
    cpu.full = fmax(cpu.full, be_trace_max(trace, BE_CPU_BUSY, 0));
    add_lane(trace, lane, &lanes, cpu);
    add_lane(trace, lane, &lanes,
             (struct be_lane){.name = "memory", .signal = BE_MEMORY, .full = limits->memory_bytes});
    for (int i = 0; i < trace->gpus && i < BE_LANE_GPUS_MAX; i++) {
        add_of_gpu(trace, i, lane, &lanes);
    }
    if (be_trace_max(trace, BE_READ, 0) > traffic_bytes_s) {
        add_lane(trace, lane, &lanes, (struct be_lane){.name = "disk: read", .signal = BE_READ});
    }
    if (be_trace_max(trace, BE_WRITTEN, 0) > traffic_bytes_s) {
        add_lane(trace, lane, &lanes,
                 (struct be_lane){.name = "disk: written", .signal = BE_WRITTEN});
    }
    return lanes;
}

const char *be_lane_word(char *to, size_t capacity, const struct be_lane *lane, double value) {
    if (!isfinite(value)) {
        snprintf(to, capacity, "not measured");
        return to;
    }
    switch (be_signals[lane->signal].unit) {
    case BE_IN_SHARE:
        snprintf(to, capacity, value > 0 && value < 0.005 ? "<1 %%" : "%.0f %%", 100 * value);
        return to;
    case BE_IN_BYTES:
        return be_format_bytes(to, capacity, value, "");
    case BE_IN_BYTES_S:
        return be_format_rate(to, capacity, value, "");
    default:
        snprintf(to, capacity, value < 9.95 ? "%.2g" : "%.0f", value);
        return to;
    }
}
