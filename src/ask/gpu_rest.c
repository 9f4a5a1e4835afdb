#include "ask/gpu_rest.h"

#include <math.h>

#include "observe/rules/look.h"
#include "observe/rules/rules.h"

/* Neither took longer in twenty programs of PyTorch, JAX and CuPy on an H100: kernel time that goes on, as of a program that
 * reads for minutes, is its own. */
static const double start_most_s = 2, preparing_most_s = 2;

/* A call that starts a kernel takes longer than a call that does as little on a CPU. In eight programs that started small
 * kernels all the time, the CPU took 0.06 to 2.5 of the time between kernels, the geometric mean is 0.24 (docs/run.md). The
 * least is nothing. The most is all of it: it is the program's own. */
static const double launch_typical = 0.24;

/* A process beside the main one that prepares data is busy for more than this part of a core. */
static const double worker_cores = 0.3;

static double kernel_outside_s(const struct be_trace *trace, const struct be_gpu_work *work) {
    const struct be_signal_series *system = be_trace_series(trace, BE_CPU_SYSTEM, 0);
    double sum_s = 0;
    for (int i = 0; system && i < trace->ticks; i++) {
        const double length_s = be_trace_length(trace, i);
        const double middle_s = trace->end_s[i] - length_s / 2;
        const double cores = (double)system->value[i];
        if (cores > 0 && !(middle_s >= work->from_s && middle_s <= work->to_s)) {
            sum_s += length_s * fmin(cores, 1);
        }
    }
    return sum_s;
}

/* When the program first had memory on a GPU; NAN: that was not seen. */
static double first_memory_s(const struct be_trace *trace) {
    double first_s = NAN;
    for (int gpu = 0; gpu < trace->gpus; gpu++) {
        const struct be_signal_series *own = be_trace_series(trace, BE_GPU_OWN_MEMORY, gpu);
        for (int i = 0; own && i < trace->ticks; i++) {
            if ((double)own->value[i] > 0) {
                first_s = fmin(first_s, trace->end_s[i]);
                break;
            }
        }
    }
    return first_s;
}

/* Launches, or copies of little, fill the time between kernels. Else a busy thread may prepare data, which a run without a GPU
 * needs as well. */
static bool is_launching(const struct be_trace *trace) {
    bool launching = false;
    for (int gpu = 0; gpu < trace->gpus; gpu++) {
        struct be_run_finding finding = {.gpu = gpu};
        struct be_gpu_look look;
        double in_kernel;
        be_look_gpu(trace, gpu, &look);
        launching |= be_check_launch_bound(trace, &finding) ||
                     (look.used && look.running < be_t(BE_T_WAITING_GPU) &&
                      be_look_fetches(trace, &look, &in_kernel));
    }
    return launching;
}

void be_gpu_rest_of(const struct be_trace *trace, const struct be_gpu_work *work,
                    struct be_gpu_rest *rest) {
    const double elapsed_s = trace->elapsed_s - trace->stopped_s;
    const double used_s = fmax(work->to_s - work->from_s, work->gpu_s); /* nobody saw when: gpu_s */
    double mean;
    const int workers = be_look_workers(trace, work->from_s, work->to_s, worker_cores, &mean);
    rest->start_s = fmin(kernel_outside_s(trace, work), start_most_s);
    rest->preparing_s = fmin(fmax(work->from_s - first_memory_s(trace), 0), preparing_most_s);
    rest->host_s = fmax(fmin(used_s, elapsed_s) - work->gpu_s - work->bus_s, 0);
    rest->launching = workers == 0 && is_launching(trace);
    const double outside_s = fmax(elapsed_s - used_s, 0);
    const double typical_s = fmax(outside_s - rest->start_s / 2, 0);
    rest->without = (struct be_worth_time){
        .lo_s =
            fmax(outside_s - rest->start_s - rest->preparing_s, 0) + (workers ? rest->host_s : 0),
        .typical_s = typical_s + rest->host_s * (rest->launching ? launch_typical : 1),
        .hi_s = elapsed_s, /* the host may have worked while the GPU did */
    };
}
