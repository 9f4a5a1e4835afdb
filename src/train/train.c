/* A training run from its plan to its result. */
#include "train/train.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "data/loader.h"
#include "host/cores.h"
#include "nn/net.h"

struct run {
    const struct be_train_plan *plan;
    struct be_train_result *result;
    const struct be_net_kind *kind;
    struct be_images *images;
    struct be_loader *loader[BE_IMAGES_PARTS];
    struct be_net *net;
    struct be_clock clock;
    double began_s;    /* training */
    double step_s;     /* steps but the first, without what waited before them */
    double step_cpu_s; /* of them, processor time of the thread that trains */
    uint64_t timed_images, timed_steps;
    bool stopped;
};

static enum be_status open_images(struct run *run, struct be_error *error) {
    const struct be_train_plan *plan = run->plan;
    const struct be_images_options options = {
        .form = be_images_form_find(run->kind->images),
        .folder = plan->folder,
        .keep = plan->memory ? BE_IMAGES_MEMORY : BE_IMAGES_DISK,
        .incomplete = plan->incomplete,
        .images = {[BE_IMAGES_TRAIN] = plan->images, [BE_IMAGES_TEST] = plan->test_images},
        .seed = plan->seed,
    };
    return be_images_open(&options, &run->images, error);
}

static enum be_status open_loader(struct run *run, enum be_images_part part,
                                  struct be_error *error) {
    const struct be_train_plan *plan = run->plan;
    struct be_loader_options options = {
        .data = run->images,
        .part = part,
        .batch = run->result->batch,
        .workers = plan->workers,
        .prefetch = plan->prefetch,
        .shuffle = part == BE_IMAGES_TRAIN,
        .seed = plan->seed,
        .decode_s = plan->decode_s,
    };
    memcpy(options.mean, run->kind->mean, sizeof options.mean);
    memcpy(options.deviation, run->kind->deviation, sizeof options.deviation);
    return be_loader_open(&options, &run->loader[part], error);
}

static enum be_status open_net(struct run *run, struct be_error *error) {
    const struct be_net_plan plan = {
        .name = run->plan->net,
        .batch = run->result->batch,
        .threads = run->result->threads,
        .seed = run->plan->seed,
        .rate = NAN,
        .momentum = NAN,
        .decay = NAN,
    };
    return be_net_open(&plan, &run->net, error);
}

/* The facts of the run that are known before it. */
static enum be_status begin_result(struct run *run, struct be_error *error) {
    const struct be_train_plan *plan = run->plan;
    struct be_train_result *result = run->result;
    struct be_cores *cores = calloc(1, sizeof *cores);
    enum be_status status =
        cores ? be_cores_find(cores, error) : be_fail(error, BE_NOMEM, "train: no host memory");
    if (!status) {
        const int epochs = plan->epochs ? plan->epochs : run->kind->epochs;
        be_copy_text(result->cpu, sizeof result->cpu, cores->name);
        result->cores = cores->count;
        result->threads = plan->threads ? plan->threads : cores->count;
        result->epoch = calloc((size_t)epochs, sizeof *result->epoch);
        status = result->epoch ? BE_OK : be_fail(error, BE_NOMEM, "train: no host memory");
    }
    free(cores);
    be_copy_text(result->net, sizeof result->net, run->kind->name);
    be_copy_text(result->folder, sizeof result->folder, plan->folder ? plan->folder : "");
    result->batch = plan->batch ? plan->batch : run->kind->batch;
    result->parameters = run->kind->parameters;
    result->workers = plan->workers;
    result->prefetch = plan->prefetch;
    result->memory = plan->memory;
    result->seed = plan->seed;
    result->decode_asked_s = plan->decode_s;
    return status;
}

/* Loaders before the net, which pins this thread: their workers may use all cores. */
static enum be_status open_run(struct run *run, struct be_error *error) {
    struct be_train_result *result = run->result;
    run->kind = be_net_kind_find(run->plan->net);
    if (!run->kind) {
        return open_net(run, error); /* it knows the names */
    }
    enum be_status status = begin_result(run, error);
    const double began_s = be_now(&run->clock);
    status = status ? status : open_images(run, error);
    if (status) {
        return status;
    }
    result->open_s = be_now(&run->clock) - began_s;
    be_copy_text(result->data, sizeof result->data, be_images_form_of(run->images)->title);
    result->images = be_images_count(run->images, BE_IMAGES_TRAIN);
    result->test_images = be_images_count(run->images, BE_IMAGES_TEST);
    result->batch = result->batch < result->images ? result->batch : result->images;
    status = open_loader(run, BE_IMAGES_TRAIN, error);
    status = status ? status : open_loader(run, BE_IMAGES_TEST, error);
    return status ? status : open_net(run, error);
}

static void close_run(struct run *run) {
    be_net_close(run->net);
    for (int part = 0; part < BE_IMAGES_PARTS; part++) {
        be_loader_close(run->loader[part]);
    }
    be_images_close(run->images);
}

/* ---- steps ---------------------------------------------------------------------------------- */

static bool must_stop(const struct run *run) {
    const struct be_train_plan *plan = run->plan;
    return (plan->cancelled && plan->cancelled(plan->context)) ||
           (plan->total_s > 0 && be_now(&run->clock) - run->began_s >= plan->total_s);
}

static double left_s(const struct run *run, const struct be_train_epoch *epoch) {
    const struct be_train_result *result = run->result;
    const int epochs = run->plan->epochs ? run->plan->epochs : run->kind->epochs;
    const double each_s = epoch->seconds / (double)epoch->images;
    const double tests = epochs - epoch->number + (result->test_s > 0 ? 1 : 0);
    const double test_s =
        result->epochs > 1 ? result->test_s / (double)(result->epochs - 1) * tests : 0;
    return each_s *
               ((double)result->images * (epochs - epoch->number + 1) - (double)epoch->images) +
           test_s;
}

static void tell(const struct run *run, const struct be_train_epoch *epoch) {
    const struct be_train_plan *plan = run->plan;
    if (plan->progress) {
        struct be_train_epoch so_far = *epoch;
        so_far.loss /= (double)epoch->images;
        so_far.accuracy /= (double)epoch->images;
        so_far.images_per_s = (double)epoch->images / epoch->seconds;
        plan->progress(plan->context, &so_far, run->result->images, left_s(run, epoch));
    }
}

/* The first step of a run meets cold caches and fresh memory: it counts for the shares, not for the rates. */
static void count_step(struct run *run, const struct be_batch *batch,
                       const struct be_net_step *step, double wall_s, double cpu_s,
                       struct be_train_epoch *epoch) {
    struct be_train_result *result = run->result;
    const double count = (double)batch->count;
    result->part_s[BE_TRAIN_FORWARD] += step->forward_s;
    result->part_s[BE_TRAIN_LOSS] += step->loss_s;
    result->part_s[BE_TRAIN_BACKWARD] += step->backward_s;
    result->part_s[BE_TRAIN_UPDATE] += step->update_s;
    epoch->loss += step->loss * count;
    epoch->accuracy += (double)step->correct;
    epoch->images += batch->count;
    if (result->steps > 0) {
        run->step_s += wall_s;
        run->step_cpu_s += cpu_s;
        run->timed_images += batch->count;
        run->timed_steps++;
    }
    result->steps++;
}

static enum be_status one_step(struct run *run, const struct be_batch *batch,
                               struct be_train_epoch *epoch, struct be_error *error) {
    struct be_net_step step;
    const double began_s = be_now(&run->clock), began_cpu_s = be_thread_time();
    enum be_status status =
        be_net_step(run->net, batch->images, batch->labels, batch->count, &step, error);
    if (!status) {
        count_step(run, batch, &step, be_now(&run->clock) - began_s, be_thread_time() - began_cpu_s,
                   epoch);
    }
    return status;
}

static enum be_status train_epoch(struct run *run, int number, size_t first,
                                  struct be_train_epoch *epoch, struct be_error *error) {
    struct be_loader *loader = run->loader[BE_IMAGES_TRAIN];
    const double began_s = be_now(&run->clock);
    enum be_status status = BE_OK;
    struct be_batch batch = {0};
    *epoch = (struct be_train_epoch){.number = number, .test_loss = NAN, .test_accuracy = NAN};
    be_loader_begin(loader, (uint64_t)number, first);
    while (!run->stopped && (status = be_loader_next(loader, &batch, error)) == BE_OK &&
           batch.count) {
        status = one_step(run, &batch, epoch, error);
        if (status) {
            break;
        }
        epoch->seconds = be_now(&run->clock) - began_s;
        tell(run, epoch);
        run->stopped = must_stop(run);
    }
    epoch->seconds = be_now(&run->clock) - began_s;
    run->result->train_s += epoch->seconds;
    const double images = epoch->images ? (double)epoch->images : (double)NAN;
    epoch->loss /= images;
    epoch->accuracy /= images;
    epoch->images_per_s = images / epoch->seconds;
    return status;
}

static enum be_status test_epoch(struct run *run, struct be_train_epoch *epoch,
                                 struct be_error *error) {
    struct be_loader *loader = run->loader[BE_IMAGES_TEST];
    const double began_s = be_now(&run->clock);
    enum be_status status = BE_OK;
    struct be_batch batch = {0};
    double loss = 0, images = 0, correct = 0;
    be_loader_begin(loader, 0, 0);
    while (!run->stopped && (status = be_loader_next(loader, &batch, error)) == BE_OK &&
           batch.count) {
        struct be_net_step step;
        status = be_net_evaluate(run->net, batch.images, batch.labels, batch.count, &step, error);
        if (status) {
            break;
        }
        loss += step.loss * (double)batch.count;
        correct += (double)step.correct;
        images += (double)batch.count;
        run->stopped = run->plan->cancelled && run->plan->cancelled(run->plan->context);
    }
    if (!status && !run->stopped) {
        epoch->test_loss = loss / images;
        epoch->test_accuracy = correct / images;
    }
    run->result->test_s += be_now(&run->clock) - began_s;
    return status;
}

static enum be_status train_epochs(struct run *run, struct be_error *error) {
    const struct be_train_plan *plan = run->plan;
    struct be_train_result *result = run->result;
    const int epochs = plan->epochs ? plan->epochs : run->kind->epochs;
    enum be_status status = BE_OK;
    if (plan->begin) {
        plan->begin(plan->context, result);
    }
    run->began_s = be_now(&run->clock);
    for (int number = be_net_epochs(run->net) + 1; !status && !run->stopped && number <= epochs;
         number++) {
        struct be_train_epoch *epoch = &result->epoch[result->epochs++];
        status = train_epoch(run, number, 0, epoch, error);
        if (!status && !run->stopped) {
            be_net_epoch_end(run->net);
            status = plan->no_test ? BE_OK : test_epoch(run, epoch, error);
        }
        if (plan->epoch) {
            plan->epoch(plan->context, epoch);
        }
    }
    result->partial = run->stopped;
    return status;
}

/* ---- the end -------------------------------------------------------------------------------- */

static void add_loader(struct run *run) {
    struct be_train_result *result = run->result;
    struct be_loader_times times = {0};
    be_loader_times(run->loader[BE_IMAGES_TRAIN], &times);
    const double images = times.images ? (double)times.images : (double)NAN;
    const double blocked_s = times.read_s - times.read_cpu_s;
    result->part_s[BE_TRAIN_WAIT] = times.wait_s;
    result->read_s = times.read_s / images;
    result->decode_s = times.decode_cpu_s / images;
    result->rates.compute_s = (times.read_cpu_s + times.decode_cpu_s) / images;
    result->rates.blocked_s = blocked_s > 0 ? blocked_s / images : 0;
}

/* One thread's processor time says how long it would take alone; that of several contains that they wait for each
 * other, so the time on the clock is taken, less the workers' part in it. */
static void add_rates(struct run *run) {
    struct be_train_result *result = run->result;
    struct be_train_rates *rates = &result->rates;
    rates->cores = result->cores;
    rates->threads = result->threads < result->cores ? result->threads : result->cores;
    rates->batch = (double)run->timed_images / (double)run->timed_steps;
    rates->step_s =
        result->threads == 1
            ? run->step_cpu_s / (double)run->timed_steps
            : be_train_step_alone(rates, result->workers, run->step_s / (double)run->timed_steps);
    result->now = be_train_foretell(rates, result->workers);
    result->fastest = be_train_fastest(rates);
    result->suffices = be_train_fewest_workers(rates, &result->fewest);
}

static void end_result(struct run *run) {
    struct be_train_result *result = run->result;
    double known_s = 0, images = 0;
    for (size_t i = 0; i < result->epochs; i++) {
        images += (double)result->epoch[i].images;
    }
    result->images_per_s = images / result->train_s;
    add_loader(run);
    for (int part = 0; part < BE_TRAIN_OTHER; part++) {
        known_s += result->part_s[part];
    }
    result->part_s[BE_TRAIN_OTHER] = fmax(result->train_s - known_s, 0);
    if (run->timed_steps) {
        add_rates(run);
    }
}

enum be_status be_train(const struct be_train_plan *plan, struct be_train_result *result,
                        struct be_error *error) {
    memset(result, 0, sizeof *result);
    struct run run = {.plan = plan, .result = result, .clock = be_clock_host()};
    result->rates.step_s = NAN;
    enum be_status status = open_run(&run, error);
    if (!status) {
        status = train_epochs(&run, error);
        end_result(&run);
    }
    close_run(&run);
    return status;
}

void be_train_free(struct be_train_result *result) {
    free(result->epoch);
    memset(result, 0, sizeof *result);
}
