/*
 * The sources of GPUs alone, around a command, for a machine that has one: what bench/gpu_watch.sh holds
 * beside other tools' numbers. Not part of the program, and not installed.
 *
 *     gpu_sample [--interval S] [--csv FILE] [--trace FOLDER] -- COMMAND [ARGUMENT...]
 *     gpu_sample --list            what GPUs there are, and why not
 *     gpu_sample --costs           what calls of NVML take
 *     gpu_sample --dump FILE       a record of the injected library, as lines of name and number
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "observe/injected.h"
#include "observe/sources/gpu_trace.h"
#include "observe/sources/nvidia.h"
#include "observe/sampler/sampler.h"
#include "observe/sources/sources.h"

struct options {
    double interval_s;
    const char *csv, *trace;
    char *const *command;
};

static const struct be_signal_source *const sources[] = {
    &be_signal_source_gpm,
    &be_signal_source_nvml,
    &be_signal_source_cupti,
    NULL,
};

/* Is `root` among the ancestors of `pid`, or itself? */
static bool descends(const struct be_watched *watched, pid_t pid) {
    for (int depth = 0; pid > 1 && depth < 64; depth++) {
        char path[64];
        char line[512] = "";
        if (pid == watched->root) {
            return true;
        }
        snprintf(path, sizeof path, "/proc/%d/stat", pid);
        FILE *file = fopen(path, "re");
        if (!file || !fgets(line, sizeof line, file)) {
            line[0] = '\0';
        }
        if (file) {
            fclose(file);
        }
        const char *after = strrchr(line, ')');
        if (!after || sscanf(after, ") %*c %d", &pid) != 1) {
            return false;
        }
    }
    return false;
}

static double epoch(void) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void pause_s(double seconds) {
    struct timespec time = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))};
    if (seconds > 0) {
        nanosleep(&time, NULL);
    }
}

/* ---- what came out ----------------------------------------------------------------------------- */

static void write_csv(const struct be_trace *trace, const char *path, double start) {
    FILE *file = fopen(path, "we");
    if (!file) {
        fprintf(stderr, "gpu_sample: %s: %s\n", path, strerror(errno));
        return;
    }
    fprintf(file, "from,to");
    for (size_t i = 0; i < trace->series; i++) {
        fprintf(file, ",%s.%d", be_signals[trace->one[i].signal].name, trace->one[i].of);
    }
    fprintf(file, "\n");
    for (int tick = 0; tick < trace->ticks; tick++) {
        fprintf(file, "%.4f,%.4f", start + (tick ? trace->end_s[tick - 1] : 0),
                start + trace->end_s[tick]);
        for (size_t i = 0; i < trace->series; i++) {
            double value = trace->one[i].value[tick];
            isnan(value) ? fprintf(file, ",") : fprintf(file, ",%.7g", value);
        }
        fprintf(file, "\n");
    }
    fclose(file);
}

static void print_trace(const struct be_trace *trace) {
    for (int i = 0; i < trace->gpus; i++) {
        const struct be_trace_gpu *gpu = &trace->gpu[i];
        printf("gpu %d  %s  %s  %s  memory %.3g  bus %.3g B/s  power limit %g W  FP64/FP32 %g\n", i,
               gpu->id, gpu->name, gpu->uuid, gpu->memory_bytes, gpu->bus_bytes_s,
               gpu->power_limit_w, gpu->fp64_ratio);
    }
    for (size_t i = 0; i < trace->series; i++) {
        const struct be_signal_series *one = &trace->one[i];
        printf("%-22s %d  %-6s mean %-12.5g most %-12.5g cover %.2f\n",
               be_signals[one->signal].name, one->of, trace->source[one->source].name,
               be_trace_mean(trace, one->signal, one->of), one->max,
               be_trace_coverage(trace, one->signal, one->of));
    }
    for (int i = 0; i < trace->sources; i++) {
        const struct be_trace_source *source = &trace->source[i];
        printf("source %-7s sampled %g missed %g cost %.4f s  %s%s\n", source->name,
               source->sampled, source->missed, source->cost_s, source->detail, source->absent);
    }
    for (int i = 0; i < trace->absences; i++) {
        printf("absent %s (%s): %s\n", be_signals[trace->absent[i].signal].name,
               trace->absent[i].source, trace->absent[i].reason);
    }
    printf("elapsed %.3f s in %d ticks\n", trace->elapsed_s, trace->ticks);
}

/* ---- a command --------------------------------------------------------------------------------- */

static pid_t start_command(const struct options *options) {
    char library[1024];
    struct be_error error = {0};
    pid_t pid = fork();
    if (pid != 0) {
        return pid;
    }
    if (options->trace) {
        if (be_injected_find(BE_GPU_TRACE_LIBRARY, BE_GPU_TRACE_WITHOUT, library, sizeof library,
                             &error) != BE_OK) {
            fprintf(stderr, "gpu_sample: %s\n", error.text);
            _exit(126);
        }
        setenv(BE_GPU_TRACE_INJECTION, library, 1);
        setenv(BE_GPU_RECORD_FOLDER, options->trace, 1);
    }
    execvp(options->command[0], options->command);
    fprintf(stderr, "gpu_sample: %s: %s\n", options->command[0], strerror(errno));
    _exit(127);
}

extern char **environ;

static int watch_command(const struct options *options) {
    struct be_error error = {0};
    struct be_sampler *sampler = NULL;
    struct be_sampler_options how = {.sources = sources, .interval_s = options->interval_s};
    struct rusage usage;
    int status = 0;
    pid_t pid = start_command(options);
    how.watched = (struct be_watched){.root = pid,
                                      .with_root = true,
                                      .files = "",
                                      .environment = (const char *const *)environ,
                                      .trace_folder = options->trace,
                                      .member = descends};
    double start = epoch();
    if (pid < 0 || be_sampler_open(&how, &sampler, &error) != BE_OK) {
        fprintf(stderr, "gpu_sample: %s\n", error.text);
        return 1;
    }
    while (waitpid(pid, &status, WNOHANG) == 0) {
        double due_s = be_sampler_due(sampler);
        if (due_s <= 0) {
            be_sampler_tick(sampler, false);
        }
        pause_s(fmin(fmax(due_s, 0.001), 0.02));
    }
    be_sampler_tick(sampler, true);
    print_trace(be_sampler_trace(sampler));
    if (options->csv) {
        write_csv(be_sampler_trace(sampler), options->csv, start);
    }
    getrusage(RUSAGE_SELF, &usage);
    printf("own CPU %.4f s, peak %.1f MB\n",
           (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
               1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec),
           (double)usage.ru_maxrss / 1024);
    be_sampler_close(sampler);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* ---- a record ---------------------------------------------------------------------------------- */

static void print_tally(const char *name, const struct be_gpu_tally *tally) {
    if (tally->count > 0) {
        printf("%s count %" PRIu64 " total_ns %" PRIu64 " median_ns %.0f most_ns %" PRIu64 "\n",
               name, tally->count, tally->total_ns, 1e9 * be_gpu_tally_median(NULL, tally),
               tally->max_ns);
    }
}

static void print_device(const struct be_gpu_device *device) {
    static const char *const ways[] = {"to-device", "to-host", "within", "peer"};
    static const char *const hosts[] = {"pageable", "pinned", "managed", "other"};
    printf("device %u %s busy_ns %" PRIu64 " kernel_ns %" PRIu64 " copy_ns %" PRIu64
           " span_ns %" PRIu64 " synced_ns %" PRIu64 "\n",
           device->number, device->uuid, device->busy_ns, device->kernel_ns, device->copy_ns,
           device->last_ns - device->first_ns, device->synced_ns);
    print_tally("kernels", &device->kernels);
    print_tally("gaps", &device->gaps);
    print_tally("gaps-after-sync", &device->synced);
    for (int way = 0; way < BE_GPU_WAYS; way++) {
        for (int host = 0; host < BE_GPU_HOSTS; host++) {
            const struct be_gpu_copies *copies = &device->copies[way][host];
            if (copies->count > 0) {
                printf("copies %s %s count %" PRIu64 " bytes %" PRIu64 " total_ns %" PRIu64 "\n",
                       ways[way], hosts[host], copies->count, copies->bytes, copies->total_ns);
            }
        }
    }
}

static int dump(const char *path) {
    static struct be_gpu_record record;
    struct be_error error = {0};
    if (be_gpu_record_load(path, &record, &error) != BE_OK) {
        fprintf(stderr, "gpu_sample: %s\n", error.text);
        return 1;
    }
    printf("state %u pid %d program %s cupti %u driver %u sequence %" PRIu64 "\n", record.state,
           record.pid, record.program, record.cupti, record.driver, record.sequence);
    printf("reason %s\n", record.reason);
    printf("records %" PRIu64 " dropped %" PRIu64 " discarded_bytes %" PRIu64 " late %" PRIu64
           " unnamed %" PRIu64 " own_ns %" PRIu64 " length_ns %" PRIu64 " traced_ns %" PRIu64
           " windows %" PRIu64 "\n",
           record.records, record.dropped, record.discarded_bytes, record.late,
           record.kernels_unnamed, record.own_ns, record.now_ns - record.start_ns, record.traced_ns,
           record.windows);
    print_tally("runtime-launches", &record.runtime_launches);
    print_tally("driver-launches", &record.driver_launches);
    for (int i = 0; i < BE_GPU_SYNC_KINDS; i++) {
        char name[32];
        snprintf(name, sizeof name, "sync-%d", i);
        print_tally(name, &record.syncs[i]);
    }
    for (int i = 0; i < BE_GPU_COSTS; i++) {
        if (record.costs[i].count > 0) {
            printf("cost-%d count %" PRIu64 " total_ns %" PRIu64 "\n", i, record.costs[i].count,
                   record.costs[i].total_ns);
        }
    }
    for (uint32_t i = 0; i < record.devices; i++) {
        print_device(&record.device[i]);
    }
    for (uint32_t i = 0; i < record.kernels; i++) {
        char name[BE_GPU_RECORD_NAME];
        be_kernel_name(record.kernel[i].name, name, sizeof name);
        print_tally(name, &record.kernel[i].time);
    }
    return 0;
}

/* ---- what a call costs -------------------------------------------------------------------------- */

static struct be_nvidia nvidia;
static nvmlGpmSample_t samples[2];
static nvmlGpmMetricsGet_t metrics;

static void use(nvmlDevice_t d) {
    nvmlUtilization_t use = {0};
    nvidia.nvml.nvmlDeviceGetUtilizationRates(d, &use);
}
static void memory(nvmlDevice_t d) {
    nvmlMemory_v2_t memory = {.version = sizeof memory | 2u << 24};
    nvidia.nvml.nvmlDeviceGetMemoryInfo_v2(d, &memory);
}
static void energy(nvmlDevice_t d) {
    unsigned long long millijoules = 0;
    nvidia.nvml.nvmlDeviceGetTotalEnergyConsumption(d, &millijoules);
}
static void clocks(nvmlDevice_t d) {
    unsigned int mhz = 0;
    nvidia.nvml.nvmlDeviceGetClockInfo(d, NVML_CLOCK_SM, &mhz);
}
static void temperature(nvmlDevice_t d) {
    unsigned int celsius = 0;
    nvidia.nvml.nvmlDeviceGetTemperature(d, NVML_TEMPERATURE_GPU, &celsius);
}
static void throttle(nvmlDevice_t d) {
    unsigned long long bits = 0;
    nvidia.nvml.nvmlDeviceGetCurrentClocksEventReasons(d, &bits);
}
static void processes(nvmlDevice_t d) {
    nvmlProcessInfo_t process[64];
    unsigned int count = 64;
    nvidia.nvml.nvmlDeviceGetComputeRunningProcesses_v3(d, &count, process);
}
static void graphics(nvmlDevice_t d) {
    nvmlProcessInfo_t process[64];
    unsigned int count = 64;
    nvidia.nvml.nvmlDeviceGetGraphicsRunningProcesses_v3(d, &count, process);
}
static void counters(nvmlDevice_t d) {
    nvidia.nvml.nvmlGpmSampleGet(d, samples[1]);
}
static void figures(nvmlDevice_t d) {
    (void)d;
    metrics.version = NVML_GPM_METRICS_GET_VERSION;
    metrics.metrics = 16;
    metrics.before = samples[0];
    metrics.after = samples[1];
    for (unsigned int i = 0; i < 16; i++) {
        metrics.metric[i].id = i + 1;
    }
    nvidia.nvml.nvmlGpmMetricsGet(&metrics);
}

static double of(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int costs(void) {
    enum { TIMES = 20 };
    static const struct {
        const char *name;
        void (*call)(nvmlDevice_t device);
    } call[] = {{"utilisation", use},     {"memory", memory},           {"energy", energy},
                {"clock", clocks},        {"temperature", temperature}, {"throttle", throttle},
                {"processes", processes}, {"graphics", graphics},       {"gpm sample", counters},
                {"gpm metrics", figures}};
    struct be_watched watched = {.files = ""};
    struct be_error error = {0};
    if (be_nvidia_open(&nvidia, &watched, &error) != BE_OK) {
        fprintf(stderr, "gpu_sample: %s\n", error.text);
        return 1;
    }
    nvidia.nvml.nvmlGpmSampleAlloc(&samples[0]);
    nvidia.nvml.nvmlGpmSampleAlloc(&samples[1]);
    nvidia.nvml.nvmlGpmSampleGet(nvidia.gpu[0].device, samples[0]);
    for (size_t i = 0; i < BE_COUNT(call); i++) {
        double cpu = 0, wall = 0;
        for (int k = 0; k < TIMES; k++) {
            double cpu_began = of(CLOCK_THREAD_CPUTIME_ID), began = of(CLOCK_MONOTONIC);
            call[i].call(nvidia.gpu[0].device);
            cpu += of(CLOCK_THREAD_CPUTIME_ID) - cpu_began;
            wall += of(CLOCK_MONOTONIC) - began;
            pause_s(0.02);
        }
        printf("call %-12s CPU %8.1f us  wall %8.1f us\n", call[i].name, 1e6 * cpu / TIMES,
               1e6 * wall / TIMES);
    }
    be_nvidia_close(&nvidia);
    return 0;
}

static int list(void) {
    char *const command[] = {"sleep", "1", NULL};
    return watch_command(&(struct options){.interval_s = 0.2, .command = command});
}

int main(int argc, char **argv) {
    struct options options = {0};
    int at = 1;
    if (argc == 3 && strcmp(argv[1], "--dump") == 0) {
        return dump(argv[2]);
    }
    if (argc == 2 && strcmp(argv[1], "--costs") == 0) {
        return costs();
    }
    if (argc == 2 && strcmp(argv[1], "--list") == 0) {
        return list();
    }
    for (; at + 1 < argc && strcmp(argv[at], "--") != 0; at += 2) {
        if (strcmp(argv[at], "--interval") == 0) {
            options.interval_s = atof(argv[at + 1]);
        } else if (strcmp(argv[at], "--csv") == 0) {
            options.csv = argv[at + 1];
        } else if (strcmp(argv[at], "--trace") == 0) {
            options.trace = argv[at + 1];
        } else {
            break;
        }
    }
    if (at + 1 >= argc || strcmp(argv[at], "--") != 0) {
        fprintf(stderr, "usage: gpu_sample [--interval S] [--csv FILE] [--trace FOLDER] -- "
                        "COMMAND [ARGUMENT...]\n");
        return 2;
    }
    options.command = argv + at + 1;
    return watch_command(&options);
}
