/* The whole machine, from /proc. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "observe/process/proc_text.h"
#include "observe/sources/sources.h"

enum counter { BUSY, IOWAIT, STEAL, CPU, MEMORY, IO, HUGE_PAGES, COUNTERS };

struct node {
    const char *files;
    double before[COUNTERS];
    double newest; /* number given to a process or thread last; NAN: not known */
};

static double pressure(const char *files, const char *of) {
    char text[512];
    return be_small_file(text, sizeof text, "%s/proc/pressure/%s", files, of) > 0
               ? be_pressure_total(text)
               : NAN;
}

/* "\nthp_fault_alloc 4711": NAN where the kernel has no huge pages. */
static double huge_pages(const char *files) {
    static const char name[] = "\nthp_fault_alloc ";
    char text[16384];
    if (be_small_file(text, sizeof text, "%s/proc/vmstat", files) <= 0) {
        return NAN;
    }
    const char *at = strstr(text, name);
    return at ? strtod(at + sizeof name - 1, NULL) : NAN;
}

/* "cpu user nice system idle iowait irq softirq steal guest guest_nice", in clock ticks; guests'
 * time is within user and nice (proc(5)). */
static void read_counters(const char *files, double now[COUNTERS]) {
    char text[256];
    double tick_s = 1.0 / (double)sysconf(_SC_CLK_TCK);
    double t[8];
    now[BUSY] = now[IOWAIT] = now[STEAL] = NAN;
    if (be_small_file(text, sizeof text, "%s/proc/stat", files) > 0 &&
        sscanf(text, "cpu %lf %lf %lf %lf %lf %lf %lf %lf", &t[0], &t[1], &t[2], &t[3], &t[4],
               &t[5], &t[6], &t[7]) == 8) {
        now[BUSY] = tick_s * (t[0] + t[1] + t[2] + t[5] + t[6]);
        now[IOWAIT] = tick_s * t[4];
        now[STEAL] = tick_s * t[7];
    }
    now[CPU] = pressure(files, "cpu");
    now[MEMORY] = pressure(files, "memory");
    now[IO] = pressure(files, "io");
    now[HUGE_PAGES] = huge_pages(files);
}

static void close_node(void *self) {
    free(self);
}

static enum be_status open_node(const struct be_watched *watched, void **self,
                                struct be_error *error) {
    struct node *node = calloc(1, sizeof *node);
    if (!node) {
        return be_fail(error, BE_NOMEM, "node: out of memory");
    }
    node->files = watched->files;
    read_counters(node->files, node->before);
    node->newest = NAN;
    *self = node;
    return BE_OK;
}

static const struct {
    enum counter counter;
    enum be_signal signal;
    const char *file;
} rates[] = {
    {BUSY, BE_NODE_CPU, "stat"},
    {IOWAIT, BE_NODE_IOWAIT, "stat"},
    {STEAL, BE_NODE_STEAL, "stat"},
    {CPU, BE_NODE_PRESSURE_CPU, "pressure/cpu"},
    {MEMORY, BE_NODE_PRESSURE_MEMORY, "pressure/memory"},
    {IO, BE_NODE_PRESSURE_IO, "pressure/io"},
    {HUGE_PAGES, BE_NODE_HUGE_FAULTS, "vmstat with thp_fault_alloc"},
};

/* "0.52 0.58 0.59 3/512 4711". Numbers are given one after the other, to threads too, and begin anew beyond the
 * largest: then nothing can be said of that tick. */
static void put_load(struct node *node, double length_s, struct be_sink *sink) {
    char text[256];
    double runnable, newest;
    if (be_small_file(text, sizeof text, "%s/proc/loadavg", node->files) <= 0 ||
        sscanf(text, "%*f %*f %*f %lf/%*f %lf", &runnable, &newest) != 2) {
        return;
    }
    be_sink_put(sink, BE_NODE_RUNNABLE, 0, fmax(runnable - 1, 0)); /* without ourselves */
    be_sink_put(sink, BE_NODE_SPAWNED, 0,
                newest >= node->newest ? (newest - node->newest) / length_s : NAN);
    node->newest = newest;
}

static enum be_status sample_node(void *self, const struct be_moment *moment, struct be_sink *sink,
                                  struct be_error *error) {
    (void)error;
    struct node *node = self;
    char text[4096];
    double now[COUNTERS], length_s = moment->now_s - moment->from_s;
    /* The kernel counts in hundredths of a second: of a short tick that can be more than there are. */
    double max = node->files[0] ? INFINITY : (double)sysconf(_SC_NPROCESSORS_ONLN);
    read_counters(node->files, now);
    for (size_t i = 0; i < BE_COUNT(rates); i++) {
        double grown = now[rates[i].counter] - node->before[rates[i].counter];
        if (isnan(grown)) {
            be_sink_absent(sink, rates[i].signal, "this kernel has no /proc/%s", rates[i].file);
            continue;
        }
        enum be_signal_unit unit = be_signals[rates[i].signal].unit;
        double rate = fmax(grown, 0) / length_s;
        double most = unit == BE_IN_SHARE ? 1 : unit == BE_IN_CORES ? max : INFINITY;
        be_sink_put(sink, rates[i].signal, 0, fmin(rate, most));
    }
    memcpy(node->before, now, sizeof now);
    if (be_small_file(text, sizeof text, "%s/proc/meminfo", node->files) > 0) {
        be_sink_put(sink, BE_NODE_MEMORY_AVAILABLE, 0, 1024 * be_named_value(text, "MemAvailable"));
    }
    put_load(node, length_s, sink);
    return BE_OK;
}

const struct be_signal_source be_signal_source_node = {
    .name = "node",
    .summary = "the whole machine",
    .open = open_node,
    .sample = sample_node,
    .close = close_node,
};
