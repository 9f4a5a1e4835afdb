/*
 * The counters of DCGM that are signals here: their names on dcgm-exporter's page and their numbers in libdcgm.
 */
#ifndef BE_OBSERVE_SOURCES_DCGM_METRICS_H
#define BE_OBSERVE_SOURCES_DCGM_METRICS_H

#include <stdbool.h>

#include "observe/signals.h"

struct be_dcgm_metric {
    const char *name;
    unsigned short field;
    enum be_signal signal;
    bool share; /* 0 to 1; else bytes a second */
};

/* Those that a verdict on the GPU's worth rests on stand first. */
enum { BE_DCGM_METRICS = 16 };
extern const struct be_dcgm_metric be_dcgm_metrics[BE_DCGM_METRICS];

#endif
