#include "job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "builtin/builtin.h"
#include "host/cores.h"
#include "base/error.h"
#include "base/random.h"
#include "host/team.h"
#include "device/device.h"
#include "device/stage.h"
#include "machine/ceilings.h"
#include "workload/elementwise.h"

enum { TINY = 10000, SMALL = 100000, LARGE = 2200003 }; /* its z is past the caches */
static float x[LARGE], y[LARGE], z[LARGE];
static double reference[LARGE];
static struct be_team *team;
static struct be_problem problem; /* power, of LARGE elements */

void job_prepare(void) {
    static struct be_cores cores;
    struct be_error error;
    void *const array[] = {x, y, z};
    const struct be_problem power = be_problem_preset(&be_workload_power);
    if (be_cores_find(&cores, &error) != BE_OK || be_team_open(&cores, 1, &team, &error) != BE_OK) {
        abort();
    }
    problem = be_problem_sized(&power, LARGE);
    const struct be_work work = {
        .problem = &problem, .array = array, .items = LARGE, .members = 1, .team = team};
    be_workload_power.fill(&work, 1);
    be_workload_power.reference(&work, reference);
}

void job_end(void) {
    be_team_close(team);
}

/* Everything that is open in a job; zeroes are released as nothing. */
struct job {
    struct be_device *device;
    const struct be_device_ops *ops;
    struct be_stage *stage;
    struct be_prepared prepared;
    struct be_buffer buffer[3];
    struct be_pinned pinned;
    struct be_event from, to;
    struct be_graph graph;
    struct be_unified unified;
    struct be_blas blas;
    size_t items; /* of what fits one chunk */
};

static void close_job(struct job *job) {
    const struct be_device_ops *ops = job->ops;
    if (!job->device) {
        return;
    }
    ops->blas->close(job->device, &job->blas);
    ops->extras->release_unified(job->device, &job->unified);
    ops->extras->forget_graph(job->device, &job->graph);
    ops->queue->forget_event(job->device, &job->to);
    ops->queue->forget_event(job->device, &job->from);
    ops->memory->unpin(job->device, &job->pinned);
    for (size_t i = 0; i < BE_COUNT(job->buffer); i++) {
        ops->memory->release(job->device, &job->buffer[i]);
    }
    be_workload_power.variant[0].discard(job->device, &job->prepared);
    be_stage_close(job->stage);
    ops->close(job->device);
}

static enum be_status open_first(struct job *job, struct be_error *error) {
    struct be_device_info info;
    int count = 0;
    job->ops = &be_cuda_ops;
    enum be_status status = job->ops->probe(&info, 1, &count, error);
    if (status == BE_OK && count != 1) {
        status = be_fail(error, BE_WRONG, "%d devices", count);
    }
    return status == BE_OK ? job->ops->open(&info, team, &job->device, error) : status;
}

static enum be_status open_job(struct job *job, size_t items, struct be_error *error) {
    double left;
    double all;
    struct be_event *event[] = {&job->from, &job->to};
    enum be_status status = open_first(job, error);
    status = status == BE_OK ? job->ops->memory->capacity(job->device, &left, &all, error) : status;
    status = status == BE_OK ? be_stage_open(job->device, team, &job->stage, error) : status;
    if (status == BE_OK) {
        status = be_workload_power.variant[0].prepare(job->device, &problem, &job->prepared, error);
    }
    for (size_t i = 0; status == BE_OK && i < BE_COUNT(job->buffer); i++) {
        status = job->ops->memory->alloc(job->device, items * sizeof *x, &job->buffer[i], error);
    }
    for (size_t i = 0; status == BE_OK && i < BE_COUNT(event); i++) {
        status = job->ops->queue->make_event(job->device, event[i], error);
    }
    return status == BE_OK
               ? job->ops->memory->pin(job->device, job->items * sizeof *x, &job->pinned, error)
               : status;
}

static enum be_status check(size_t items, const char *what, struct be_error *error) {
    for (size_t i = 0; i < items; i++) {
        if (!(fabs((double)z[i] - reference[i]) <= 1e-6 * fabs(reference[i]))) {
            return be_fail(error, BE_WRONG, "%s: element %zu of %zu is %a, not %a", what, i, items,
                           (double)z[i], reference[i]);
        }
    }
    return BE_OK;
}

static enum be_status work(void *context, enum be_queue queue, size_t first, size_t items,
                           struct be_error *error) {
    struct job *job = context;
    const struct be_launch launch = {.device = job->device,
                                     .queue = queue,
                                     .prepared = &job->prepared,
                                     .problem = &problem,
                                     .buffer = job->buffer,
                                     .first = first,
                                     .items = items};
    return be_workload_power.variant[0].enqueue(&launch, error);
}

/* put + work + get */
static enum be_status staged(struct job *job, size_t items, struct be_error *error) {
    struct be_stage_plan plan = {.ins = 2,
                                 .outs = 1,
                                 .items = items,
                                 .grain = BE_ELEMENTWISE_GRAIN,
                                 .work = work,
                                 .context = job};
    plan.in[0] = (struct be_stage_array){&job->buffer[0], x, sizeof *x};
    plan.in[1] = (struct be_stage_array){&job->buffer[1], y, sizeof *y};
    plan.out[0] = (struct be_stage_array){&job->buffer[2], z, sizeof *z};
    memset(z, 0xff, items * sizeof *z);
    enum be_status status = be_stage_run(job->stage, &plan, error);
    return status == BE_OK ? check(items, "staged", error) : status;
}

/* By hand, over two queues with events: y goes there, z comes back by way of x. */
static enum be_status by_hand(struct job *job, struct be_error *error) {
    const struct be_device_ops *ops = job->ops;
    struct be_device *d = job->device;
    const size_t bytes = job->items * sizeof *x;
    double seconds = NAN;
    memcpy(job->pinned.host, y, bytes);
    memset(z, 0xff, bytes);
    enum be_status status =
        ops->queue->fill(d, BE_QUEUE_IN, &job->buffer[1], 0, 0xff, bytes, error);
    if (status == BE_OK) {
        status =
            ops->queue->write(d, BE_QUEUE_IN, &job->buffer[1], 0, job->pinned.host, bytes, error);
    }
    status = status == BE_OK ? ops->queue->record(d, BE_QUEUE_IN, &job->from, error) : status;
    status = status == BE_OK ? ops->queue->follow(d, BE_QUEUE_WORK, &job->from, error) : status;
    status = status == BE_OK ? work(job, BE_QUEUE_WORK, 0, job->items, error) : status;
    if (status == BE_OK) {
        status = ops->queue->copy(d, BE_QUEUE_WORK, &job->buffer[0], &job->buffer[2], bytes, error);
    }
    status = status == BE_OK ? ops->queue->record(d, BE_QUEUE_WORK, &job->to, error) : status;
    status = status == BE_OK ? ops->queue->wait(d, &job->to, error) : status;
    status =
        status == BE_OK ? ops->queue->elapsed(d, &job->from, &job->to, &seconds, error) : status;
    if (status == BE_OK && !(seconds >= 0 && seconds < 60)) {
        status = be_fail(error, BE_WRONG, "span: %g s", seconds);
    }
    if (status == BE_OK) {
        status =
            ops->queue->read(d, BE_QUEUE_OUT, job->pinned.host, &job->buffer[0], 0, bytes, error);
    }
    status = status == BE_OK ? ops->queue->drain(d, BE_QUEUE_OUT, error) : status;
    if (status == BE_OK) {
        memcpy(z, job->pinned.host, bytes);
        status = check(job->items, "by hand", error);
    }
    return status;
}

/* The same again as a graph; z goes into unified memory. */
static enum be_status as_a_graph(struct job *job, struct be_error *error) {
    const struct be_device_ops *ops = job->ops;
    struct be_device *d = job->device;
    const size_t bytes = job->items * sizeof *x;
    memcpy(job->pinned.host, x, bytes);
    enum be_status status =
        ops->queue->write(d, BE_QUEUE_IN, &job->buffer[0], 0, job->pinned.host, bytes, error);
    status = status == BE_OK ? ops->queue->drain(d, BE_QUEUE_IN, error) : status;
    status = status == BE_OK ? ops->extras->capture(d, BE_QUEUE_WORK, error) : status;
    if (status != BE_OK) {
        return status;
    }
    struct be_error second;
    status = work(job, BE_QUEUE_WORK, 0, job->items, error);
    enum be_status ended =
        ops->extras->captured(d, BE_QUEUE_WORK, &job->graph, status == BE_OK ? error : &second);
    status = status == BE_OK ? ended : status;
    status = status == BE_OK ? ops->extras->unify(d, bytes, &job->unified, error) : status;
    status = status == BE_OK ? ops->extras->replay(d, BE_QUEUE_WORK, &job->graph, error) : status;
    if (status == BE_OK) {
        status =
            ops->queue->copy(d, BE_QUEUE_WORK, &job->unified.buffer, &job->buffer[2], bytes, error);
    }
    status = status == BE_OK ? ops->queue->drain(d, BE_QUEUE_WORK, error) : status;
    if (status == BE_OK) {
        memcpy(z, job->unified.host, bytes);
        status = check(job->items, "as a graph", error);
    }
    return status;
}

/* The first 64 of x and of y as matrices. */
static enum be_status product(struct job *job, struct be_error *error) {
    enum { N = 8 };
    const struct be_device_ops *ops = job->ops;
    struct be_device *d = job->device;
    enum be_status status = ops->blas->open(d, &job->blas, error);
    if (status == BE_OK) {
        const struct be_gemm gemm =
            be_gemm_square(BE_FLOAT32, N, &job->buffer[0], &job->buffer[1], &job->buffer[2]);
        status = ops->blas->gemm(d, &job->blas, &gemm, error);
    }
    if (status == BE_OK) {
        status = ops->queue->read(d, BE_QUEUE_WORK, job->pinned.host, &job->buffer[2], 0,
                                  N * N * sizeof *x, error);
    }
    status = status == BE_OK ? ops->queue->drain(d, BE_QUEUE_WORK, error) : status;
    for (int i = 0; status == BE_OK && i < N * N; i++) {
        double sum = 0;
        for (int k = 0; k < N; k++) {
            sum += (double)x[k * N + i % N] * (double)y[i / N * N + k];
        }
        if (!(fabs((double)((const float *)job->pinned.host)[i] - sum) < 1e-3)) {
            status = be_fail(error, BE_WRONG, "matrix product: element %d is not %g", i, sum);
        }
    }
    return status;
}

static void hear_nothing(void *context, const char *name, const char *text, double number) {
    (void)context, (void)name, (void)text, (void)number;
}

/* The extras that a driver may lack. */
static enum be_status extras(struct job *job, struct be_error *error) {
    job->ops->extras->facts(job->device, hear_nothing, NULL);
    enum be_status status = as_a_graph(job, error);
    if (status == BE_OK || status == BE_ABSENT) {
        status = product(job, error);
    }
    return status == BE_ABSENT ? BE_OK : status;
}

enum be_status job_run(enum job_size size, struct be_error *error) {
    struct job job = {.items = size == JOB_TINY ? TINY : SMALL};
    struct be_device_state state;
    enum be_status status = open_job(&job, size == JOB_LARGE ? LARGE : SMALL, error);
    status = status == BE_OK ? staged(&job, job.items, error) : status;
    if (size == JOB_LARGE) {
        status = status == BE_OK ? staged(&job, LARGE, error) : status;
    }
    status = status == BE_OK ? by_hand(&job, error) : status;
    status = status == BE_OK ? extras(&job, error) : status;
    if (status == BE_OK) {
        job.ops->extras->state(job.device, &state);
    }
    close_job(&job);
    return status;
}

enum be_status job_peers(struct be_error *error) {
    enum { BYTES = 1000 };
    const struct be_device_ops *ops = &be_cuda_ops;
    struct be_device_info info[2];
    struct be_device *device[2] = {NULL, NULL};
    struct be_buffer buffer[2] = {{0}, {0}};
    struct be_pinned pinned = {0};
    int count = 0;
    enum be_status status = ops->probe(info, 2, &count, error);
    for (int i = 0; status == BE_OK && i < 2; i++) {
        status = ops->open(&info[i], team, &device[i], error);
        status = status == BE_OK ? ops->memory->alloc(device[i], BYTES, &buffer[i], error) : status;
    }
    status = status == BE_OK ? ops->memory->pin(device[0], BYTES, &pinned, error) : status;
    for (int round = 1; status == BE_OK && round <= 2; round++) {
        status =
            ops->queue->fill(device[1], BE_QUEUE_IN, &buffer[1], 0, (uint8_t)round, BYTES, error);
        status = status == BE_OK ? ops->queue->drain(device[1], BE_QUEUE_IN, error) : status;
        if (status == BE_OK) {
            status = ops->extras->copy_peer(device[0], BE_QUEUE_OUT, &buffer[0], device[1],
                                            &buffer[1], BYTES, error);
        }
        if (status == BE_OK) {
            status =
                ops->queue->read(device[0], BE_QUEUE_OUT, pinned.host, &buffer[0], 0, BYTES, error);
        }
        status = status == BE_OK ? ops->queue->drain(device[0], BE_QUEUE_OUT, error) : status;
        if (status == BE_OK && ((const uint8_t *)pinned.host)[BYTES - 1] != round) {
            status = be_fail(error, BE_WRONG, "copy between devices: round %d did not come", round);
        }
    }
    if (device[0]) {
        ops->memory->unpin(device[0], &pinned);
    }
    for (int i = 0; i < 2 && device[i]; i++) {
        ops->memory->release(device[i], &buffer[i]);
        ops->close(device[i]);
    }
    return status;
}

enum be_status job_ceilings(struct be_error *error) {
    struct job job = {0};
    struct be_ceilings ceilings;
    enum be_status status = open_first(&job, error);
    status = status == BE_OK
                 ? be_ceilings_device(job.device, (struct be_cancel){0}, &ceilings, error)
                 : status;
    if (status == BE_OK && !(ceilings.points > 0 && ceilings.operations[BE_PLAIN32] > 0 &&
                             ceilings.operations[BE_PLAIN64] > 0 && ceilings.bus_in > 0 &&
                             ceilings.bus_out > 0 && ceilings.launch_s > 0)) {
        status = be_fail(error, BE_WRONG, "ceilings: %d points, %g operations/s, %g in float64",
                         ceilings.points, ceilings.operations[BE_PLAIN32],
                         ceilings.operations[BE_PLAIN64]);
    }
    close_job(&job);
    return status;
}
