/* A training run from its plan to its result. */
#include "train/train.h"

#include <math.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "host/cores.h"
#include "train/made.h"
#include "train/run.h"

enum be_status be_train_images(const struct be_train_plan *plan, struct be_images **images,
                               struct be_error *error) {
    const struct be_net_kind *kind = NULL;
    const enum be_status status = be_train_kind(plan->net, &kind, error);
    *images = NULL;
    if (status) {
        return status;
    }
    const struct be_images_options options = {
        .form = be_images_form_find(kind->images),
        .folder = plan->folder,
        .keep = plan->memory || plan->there ? BE_IMAGES_MEMORY : BE_IMAGES_DISK,
        .incomplete = plan->incomplete,
        .images = {[BE_IMAGES_TRAIN] = plan->images, [BE_IMAGES_TEST] = plan->test_images},
        .seed = plan->seed,
    };
    return be_images_open(&options, images, error);
}

static enum be_status open_loader(struct be_train_run *run, const struct be_images *images,
                                  enum be_images_part part, struct be_error *error) {
    const struct be_train_plan *plan = run->plan;
    struct be_loader_options options = {
        .data = images,
        .part = part,
        .batch = run->result->batch,
        .workers = plan->there ? 0 : plan->workers,
        .numbers = plan->there,
        .prefetch = plan->prefetch,
        .shuffle = part == BE_IMAGES_TRAIN,
        .decode_s = plan->decode_s,
    };
    memcpy(options.mean, run->kind->mean, sizeof options.mean);
    memcpy(options.deviation, run->kind->deviation, sizeof options.deviation);
    if (plan->there) {
        be_loader_levels(&options, run->levels);
    }
    return be_loader_open(&options, &run->loader[part], error);
}

static void tell_what_is_missing(const struct be_train_run *run) {
    const char *without = be_net_without(run->net);
    char text[BE_NOTE * 2];
    if (without && run->plan->remark) {
        (void)snprintf(text, sizeof text, "convolutions are matrix products here, since %s",
                       without);
        run->plan->remark(run->plan->context, text);
    }
}

static enum be_status open_net(struct be_train_run *run, struct be_error *error) {
    const struct be_net_plan plan = {
        .name = run->plan->net,
        .batch = run->result->batch,
        .threads = run->result->threads,
        .seed = run->plan->seed,
        .rate = run->plan->rate > 0 ? run->plan->rate : (double)NAN,
        .momentum = NAN,
        .decay = NAN,
        .math = run->plan->math,
        .device = run->plan->device,
        .more = run->plan->more,
        .mores = run->plan->mores,
    };
    const enum be_status status = be_net_open(&plan, &run->net, error);
    if (status == BE_OK) {
        be_copy_text(run->result->sums, sizeof run->result->sums, be_net_sums(run->net));
        tell_what_is_missing(run);
    }
    const uint64_t left = run->result->images % run->result->batch;
    if (status == BE_OK && left > 0 && left < be_net_least(run->net)) {
        return be_fail(
            error, BE_USAGE,
            "train: the last batch of an epoch would be %llu image%s: a single one has no variance "
            "for the batch norms of %s: take another --batch, or --images=%llu",
            (unsigned long long)left, left == 1 ? "" : "s", run->plan->net,
            (unsigned long long)(run->result->images - left));
    }
    return status;
}

static void copy_plan(const struct be_train_run *run, const struct be_images *images) {
    const struct be_train_plan *plan = run->plan;
    struct be_train_result *result = run->result;
    be_copy_text(result->net, sizeof result->net, run->kind->name);
    be_copy_text(result->data, sizeof result->data, be_images_form_of(images)->title);
    be_copy_text(result->folder, sizeof result->folder, plan->folder ? plan->folder : "");
    be_copy_text(result->device, sizeof result->device, plan->device ? plan->device_name : "");
    result->tf32 = plan->math == BE_NET_TF32;
    result->devices = plan->device ? 1 + plan->mores : 0;
    result->images = be_images_count(images, BE_IMAGES_TRAIN);
    result->test_images = be_images_count(images, BE_IMAGES_TEST);
    result->batch = plan->batch ? plan->batch : run->kind->batch;
    result->batch = result->batch < result->images ? result->batch : result->images;
    result->parameters = run->kind->parameters;
    result->epochs_planned = plan->epochs ? plan->epochs : run->kind->epochs;
    result->workers = plan->there ? 0 : plan->workers;
    result->there = plan->there;
    result->prefetch = plan->prefetch;
    result->memory = be_images_keep_of(images) == BE_IMAGES_MEMORY;
    result->seed = run->seed;
    result->decode_asked_s = plan->decode_s;
}

/* The facts of the run that are known before it. */
static enum be_status begin_result(struct be_train_run *run, const struct be_images *images,
                                   struct be_error *error) {
    struct be_train_result *result = run->result;
    struct be_cores *cores = calloc(1, sizeof *cores);
    copy_plan(run, images);
    enum be_status status =
        cores ? be_cores_find(cores, error) : be_fail(error, BE_NOMEM, "train: no host memory");
    if (!status) {
        be_copy_text(result->cpu, sizeof result->cpu, cores->name);
        result->cores = cores->count;
        result->threads = run->plan->threads ? run->plan->threads : cores->count;
    }
    free(cores);
    return status;
}

/* Loaders before the net, which pins this thread: their workers may use all cores. */
static enum be_status open_run(struct be_train_run *run, const struct be_images *images,
                               struct be_error *error) {
    enum be_status status = begin_result(run, images, error);
    for (int part = 0; !status && part < BE_IMAGES_PARTS; part++) {
        status = open_loader(run, images, (enum be_images_part)part, error);
    }
    status = status ? status : open_net(run, error);
    for (int part = 0; !status && run->plan->there && part < BE_IMAGES_PARTS; part++) {
        status = be_train_hold(run, images, (enum be_images_part)part, error);
    }
    return status;
}

static void close_run(struct be_train_run *run) {
    be_net_close(run->net);
    for (int part = 0; part < BE_IMAGES_PARTS; part++) {
        be_loader_close(run->loader[part]);
    }
}

/* ---- the end -------------------------------------------------------------------------------- */

static void add_loader(struct be_train_run *run) {
    struct be_train_result *result = run->result;
    struct be_loader_times times = {0};
    be_loader_times(run->loader[BE_IMAGES_TRAIN], &times);
    const double images = times.images ? (double)times.images : (double)NAN;
    const double blocked_s = times.read_s - times.read_cpu_s;
    result->part_s[BE_TRAIN_WAIT] = times.wait_s;
    result->read_s = times.read_s / images;
    result->decode_s = times.decode_cpu_s / images;
    result->rates.compute_s =
        run->plan->there ? 0 : (times.read_cpu_s + times.decode_cpu_s) / images;
    result->rates.blocked_s = blocked_s > 0 ? blocked_s / images : 0;
}

/* One thread's processor time says how long it would take alone; that of several contains that they wait for each
 * other, so the time on the clock is taken, less the workers' part in it. A device's step is what the clock says; one
 * thread waits for it. */
static void add_rates(struct be_train_run *run) {
    struct be_train_result *result = run->result;
    struct be_train_rates *rates = &result->rates;
    rates->cores = result->cores;
    rates->threads = run->plan->device                 ? 1
                     : result->threads < result->cores ? result->threads
                                                       : result->cores;
    rates->batch = (double)run->timed_images / (double)run->timed_steps;
    rates->step_s =
        run->plan->device ? run->step_s / (double)run->timed_steps
        : result->threads == 1
            ? run->step_cpu_s / (double)run->timed_steps
            : be_train_step_alone(rates, result->workers, run->step_s / (double)run->timed_steps);
    result->now = be_train_foretell(rates, result->workers);
    result->fastest = be_train_fastest(rates);
    result->suffices = be_train_fewest_workers(rates, &result->fewest);
    result->advised = be_train_advised(rates);
}

static void end_result(struct be_train_run *run) {
    struct be_train_result *result = run->result;
    double known_s = 0, images = 0;
    for (size_t i = 0; i < result->epochs; i++) {
        images += (double)result->epoch[i].images;
    }
    result->images_per_s = images / result->train_s;
    result->steady_per_s = run->timed_steps
                               ? (double)run->timed_images / (result->train_s - run->first_s)
                               : (double)NAN;
    add_loader(run);
    for (int part = 0; part < BE_TRAIN_OTHER; part++) {
        known_s += result->part_s[part];
    }
    result->part_s[BE_TRAIN_OTHER] = fmax(result->train_s - known_s, 0);
    if (run->timed_steps) {
        add_rates(run);
    }
}

enum be_status be_train_on(const struct be_train_plan *plan, const struct be_images *images,
                           struct be_train_result *result, struct be_error *error) {
    struct be_train_run run = {.plan = plan,
                               .result = result,
                               .kind = be_net_kind_find(plan->net),
                               .clock = be_clock_host(),
                               .seed = plan->seed};
    result->rates.step_s = NAN;
    enum be_status status = open_run(&run, images, error);
    if (!status) {
        status = be_train_epochs(&run, error);
        end_result(&run);
    }
    if (!status && plan->weights) {
        status = be_net_save(run.net, plan->weights, BE_NET_WEIGHTS, NULL, error);
    }
    close_run(&run);
    return status;
}

enum be_status be_train(const struct be_train_plan *plan, struct be_train_result *result,
                        struct be_error *error) {
    const struct be_clock clock = be_clock_host();
    struct be_images *images = NULL;
    memset(result, 0, sizeof *result);
    const double began_s = be_now(&clock);
    enum be_status status = be_train_images(plan, &images, error);
    result->open_s = be_now(&clock) - began_s;
    status = status ? status : be_train_on(plan, images, result, error);
    be_images_close(images);
    return status;
}

void be_train_free(struct be_train_result *result) {
    free(result->epoch);
    memset(result, 0, sizeof *result);
}
