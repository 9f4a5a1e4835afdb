/* The processes of the moment, in an order. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "report/live/live.h"

/* The sampler looks at some of many processes in turn: each is then seen every few ticks only, and
 * those that were not seen for longer have ended. */
static double back_s(const struct be_trace *trace) {
    const struct be_signal_series *all = be_trace_series(trace, BE_MEMORY, 0);
    double length_s = trace->ticks ? be_trace_length(trace, trace->ticks - 1) : 0;
    double cover = all && all->cover > 0.05 ? all->cover : 1;
    return cover < 1 ? 1.5 * length_s / cover : 0;
}

const struct be_live_more *be_live_more(const struct be_live_scene *scene,
                                        const struct be_live_process *process) {
    static const struct be_live_more none;
    const struct be_live_more *more = scene->more ? &scene->more[process->index] : &none;
    return more->pid == process->pid ? more : &none;
}

const char *be_live_state(char state) {
    static const struct {
        char state;
        const char *word;
    } words[] = {
        {'R', "running"},
        {'S', "sleeping"},
        {'D', "waiting for a device"},
        {'T', "stopped"},
        {'t', "traced"},
        {'Z', "ended"},
        {'X', "ended"},
        {'I', "idle, the kernel's"},
    };
    for (size_t i = 0; i < BE_COUNT(words); i++) {
        if (words[i].state == state) {
            return words[i].word;
        }
    }
    return NULL;
}

typedef int compare(const void *a, const void *b);

static int by(double a, double b) { /* the more first; what is not known last */
    if (isnan(a) || isnan(b)) {
        return isnan(a) - isnan(b);
    }
    return (a < b) - (a > b);
}

#define BY(name, field)                                                                            \
    static int name(const void *a, const void *b) {                                                \
        const struct be_live_process *one = a, *other = b;                                         \
        int order = by((double)one->field, (double)other->field);                                  \
        order = order ? order : by(one->bytes, other->bytes); /* idle ones: the large first */     \
        return order ? order : (one->pid > other->pid) - (one->pid < other->pid);                  \
    }
BY(by_cpu, cpu)
BY(by_memory, bytes)
BY(by_time, cpu_s)
BY(by_read, read)
BY(by_written, written)

static int by_pid(const void *a, const void *b) {
    const struct be_live_process *one = a, *other = b;
    return (one->pid > other->pid) - (one->pid < other->pid);
}

static int by_name(const void *a, const void *b) {
    const struct be_live_process *one = a, *other = b;
    int order = strcmp(one->name, other->name);
    return order ? order : by_pid(a, b);
}

int be_live_processes(const struct be_trace *trace, enum be_live_sort sort, bool inverted,
                      struct be_live_process list[BE_TRACE_PROCESSES_MAX]) {
    static compare *const order[BE_LIVE_SORTS] = {
        [BE_LIVE_BY_CPU] = by_cpu,   [BE_LIVE_BY_MEMORY] = by_memory,   [BE_LIVE_BY_TIME] = by_time,
        [BE_LIVE_BY_READ] = by_read, [BE_LIVE_BY_WRITTEN] = by_written, [BE_LIVE_BY_PID] = by_pid,
        [BE_LIVE_BY_NAME] = by_name,
    };
    int count = 0;
    double back = back_s(trace);
    for (int i = 0; i < trace->processes; i++) {
        double cpu = be_live_value(trace, BE_PROCESS_CPU, i, back);
        double bytes = be_live_value(trace, BE_PROCESS_MEMORY, i, back);
        if (isnan(cpu) && isnan(bytes)) {
            continue;
        }
        list[count++] =
            (struct be_live_process){.index = i,
                                     .pid = trace->process[i].pid,
                                     .name = trace->process[i].name,
                                     .cpu = cpu,
                                     .bytes = bytes,
                                     .threads = be_live_value(trace, BE_PROCESS_THREADS, i, back),
                                     .read = be_live_value(trace, BE_PROCESS_READ, i, back),
                                     .written = be_live_value(trace, BE_PROCESS_WRITTEN, i, back),
                                     .cpu_s = trace->process[i].cpu_s};
    }
    qsort(list, (size_t)count, sizeof *list, order[sort]);
    for (int i = 0; inverted && i < count / 2; i++) {
        struct be_live_process swap = list[i];
        list[i] = list[count - 1 - i];
        list[count - 1 - i] = swap;
    }
    return count;
}
