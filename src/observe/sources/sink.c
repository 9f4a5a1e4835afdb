#include "observe/sources/sink.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

void be_sink_clear(struct be_sink *sink) {
    sink->values = sink->nameds = sink->absences = 0;
    sink->detail[0] = '\0';
    sink->totals = false;
    sink->limited = false;
    sink->apart_s = 0;
    sink->libraries = 0;
}

static void put(struct be_sink *sink, const struct be_value *value) {
    if (sink->values < BE_SINK_VALUES && isfinite(value->value)) {
        sink->value[sink->values++] = *value;
    }
}

void be_sink_put(struct be_sink *sink, enum be_signal signal, int id, double value) {
    put(sink, &(struct be_value){.signal = signal, .id = id, .value = value, .cover = 1});
}

void be_sink_put_part(struct be_sink *sink, enum be_signal signal, int id, double value,
                      double cover) {
    put(sink, &(struct be_value){.signal = signal, .id = id, .value = value, .cover = cover});
}

void be_sink_put_since(struct be_sink *sink, enum be_signal signal, int id, double value,
                       double since_s) {
    put(sink, &(struct be_value){
                  .signal = signal, .id = id, .value = value, .cover = 1, .since_s = since_s});
}

void be_sink_put_thread(struct be_sink *sink, enum be_signal signal, int pid, int tid,
                        double value) {
    put(sink,
        &(struct be_value){.signal = signal, .id = pid, .tid = tid, .value = value, .cover = 1});
}

void be_sink_name(struct be_sink *sink, const struct be_named *named) {
    if (sink->nameds < BE_SINK_NAMED) {
        sink->named[sink->nameds++] = *named;
    }
}

void be_sink_absent(struct be_sink *sink, enum be_signal signal, const char *format, ...) {
    if (sink->absences == BE_SINK_ABSENT) {
        return;
    }
    struct be_trace_absence *absent = &sink->absent[sink->absences++];
    *absent = (struct be_trace_absence){.signal = signal};
    va_list list;
    va_start(list, format);
    vsnprintf(absent->reason, sizeof absent->reason, format, list);
    va_end(list);
}
