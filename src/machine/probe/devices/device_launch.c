/* The cost of starting work on a device. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "machine/probe/devices/device.h"

/* One launch of a kernel of one lane that does nothing, and its wait, `times` over. */
static enum be_status run_and_wait(void *context, long times, struct be_error *error) {
    struct be_bed *bed = context;
    enum be_status status = BE_OK;
    for (long i = 0; status == BE_OK && i < times; i++) {
        status = be_bed_put(bed, error);
        status = status == BE_OK ? bed->device->ops->queue->drain(bed->device, BE_QUEUE_WORK, error)
                                 : status;
    }
    return status;
}

/* The host's share: short bursts, so that a full queue never makes the host wait. */
static enum be_status time_launch(struct be_probe *probe, const struct be_target *target,
                                  struct be_bed *bed, struct be_error *error) {
    enum { BURST = 64, SAMPLES = 50 };
    struct be_samples samples = {0};
    struct be_figure key = be_figure_key(target, "launch");
    enum be_status status = be_bed_run(bed, BURST, error);
    for (int i = 0; status == BE_OK && i < SAMPLES; i++) {
        double start = be_now(&probe->clock);
        for (int k = 0; status == BE_OK && k < BURST; k++) {
            status = be_bed_put(bed, error);
        }
        double seconds = be_now(&probe->clock) - start;
        status = status == BE_OK ? bed->device->ops->queue->drain(bed->device, BE_QUEUE_WORK, error)
                                 : status;
        status = status == BE_OK ? be_samples_add(&samples, seconds / BURST, error) : status;
    }
    status = status == BE_OK ? be_probe_add(probe, &key, 1, &samples, error) : status;
    be_samples_free(&samples);
    return status;
}

struct graph_run {
    struct be_bed *bed;
    struct be_graph graph;
};

static enum be_status run_graph(void *context, long times, struct be_error *error) {
    struct graph_run *g = context;
    const struct be_device_ops *ops = g->bed->device->ops;
    enum be_status status = BE_OK;
    for (long i = 0; status == BE_OK && i < times; i++) {
        status = ops->extras->replay(g->bed->device, BE_QUEUE_WORK, &g->graph, error);
    }
    return status == BE_OK ? ops->queue->drain(g->bed->device, BE_QUEUE_WORK, error) : status;
}

/* Seconds of one launch of the graph are divided by its nodes: samples of its own. */
static enum be_status time_graph(struct be_probe *probe, const struct be_target *target,
                                 struct be_bed *bed, struct be_error *error) {
    enum { NODES = 256, SAMPLES = 30 };
    const struct be_device_ops *ops = bed->device->ops;
    struct graph_run g = {.bed = bed};
    struct be_samples samples = {0};
    struct be_figure key = be_figure_key(target, "graph_node");
    if (!ops->extras->capture) {
        be_probe_remark(probe, "%s: graphs of launches: %s has none", target->info->id,
                        target->info->backend);
        return BE_OK;
    }
    enum be_status status = ops->extras->capture(bed->device, BE_QUEUE_WORK, error);
    bool capturing = status == BE_OK;
    for (int i = 0; status == BE_OK && i < NODES; i++) {
        status = be_bed_put(bed, error);
    }
    if (capturing) { /* ends it after a failed launch too */
        enum be_status ended = ops->extras->captured(bed->device, BE_QUEUE_WORK, &g.graph,
                                                     status == BE_OK ? error : NULL);
        status = status == BE_OK ? ended : status;
    }
    status = status == BE_OK ? run_graph(&g, 2, error) : status;
    for (int i = 0; status == BE_OK && i < SAMPLES; i++) {
        double start = be_now(&probe->clock);
        status = run_graph(&g, 1, error);
        double seconds = be_now(&probe->clock) - start;
        status = status == BE_OK ? be_samples_add(&samples, seconds / NODES, error) : status;
    }
    status = status == BE_OK ? be_probe_add(probe, &key, 1, &samples, error) : status;
    be_samples_free(&samples);
    ops->extras->forget_graph(bed->device, &g.graph);
    return status;
}

enum be_status be_probe_device_launch(struct be_probe *probe, const struct be_target *target,
                                      struct be_error *error) {
    struct be_bed bed = {.device = target->device};
    struct be_figure wait = be_figure_key(target, "launch_wait");
    struct be_figure rate = be_figure_key(target, "launch_rate");
    enum be_status status = be_bed_kernel(&bed, &be_program_probe, "k_nothing", error);
    status = status == BE_OK ? be_bed_buffer(&bed, 0, 4096, error) : status;
    be_bed_pass_buffer(&bed, 0);
    be_bed_pass_long(&bed, 0);
    bed.groups = 1;
    bed.lanes = 1;
    status = status == BE_OK ? be_probe_measure(probe, target, &wait, 1, run_and_wait, &bed, error)
                             : status;
    status = status == BE_OK ? be_probe_measure(probe, target, &rate, 1, be_bed_run, &bed, error)
                             : status;
    status = status == BE_OK ? time_launch(probe, target, &bed, error) : status;
    status = status == BE_OK ? time_graph(probe, target, &bed, error) : status;
    be_bed_close(&bed);
    return status;
}
