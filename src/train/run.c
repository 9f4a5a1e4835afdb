#include "train/run.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "train/checkpoint.h"

/* Two steps at least: the first one's time says little. */
static bool must_stop(const struct be_train_run *run) {
    const struct be_train_plan *plan = run->plan;
    return (plan->cancelled && plan->cancelled(plan->context)) ||
           (plan->total_s > 0 && run->result->steps > 1 &&
            be_now(&run->clock) - run->began_s >= plan->total_s);
}

static double left_s(const struct be_train_run *run, const struct be_train_epoch *epoch) {
    const struct be_train_result *result = run->result;
    const int epochs = result->epochs_planned;
    const double each_s = epoch->seconds / (double)epoch->images;
    const double tests = epochs - epoch->number + (result->test_s > 0 ? 1 : 0);
    const double test_s =
        result->epochs > 1 ? result->test_s / (double)(result->epochs - 1) * tests : 0;
    return each_s *
               ((double)result->images * (epochs - epoch->number + 1) - (double)epoch->images) +
           test_s;
}

static void tell(const struct be_train_run *run, const struct be_train_epoch *epoch) {
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
static void count_step(struct be_train_run *run, const struct be_batch *batch,
                       const struct be_net_step *step, double wall_s, double cpu_s,
                       struct be_train_epoch *epoch) {
    struct be_train_result *result = run->result;
    const double count = (double)batch->count;
    result->part_s[BE_TRAIN_FORWARD] += step->forward_s;
    result->part_s[BE_TRAIN_LOSS] += step->loss_s;
    result->part_s[BE_TRAIN_BACKWARD] += step->backward_s;
    result->part_s[BE_TRAIN_SUM] += step->sum_s;
    result->part_s[BE_TRAIN_UPDATE] += step->update_s;
    result->sum_least_s += step->sum_least_s;
    epoch->loss += step->loss * count;
    epoch->accuracy += (double)step->correct;
    epoch->images += batch->count;
    if (result->steps > 0) {
        run->step_s += wall_s;
        run->step_cpu_s += cpu_s;
        run->timed_images += batch->count;
        run->timed_steps++;
    } else {
        run->first_s = be_now(&run->clock) - run->began_s;
    }
    result->steps++;
}

/* Images that are on the device already are gathered there. */
static enum be_status take(struct be_train_run *run, enum be_images_part part,
                           const struct be_batch *batch, struct be_error *error) {
    return run->plan->there ? be_net_take(run->net, (int)part, batch->number, batch->count, error)
                            : BE_OK;
}

static enum be_status one_step(struct be_train_run *run, const struct be_batch *batch,
                               struct be_train_epoch *epoch, struct be_error *error) {
    struct be_net_step step;
    const double began_s = be_now(&run->clock), began_cpu_s = be_thread_time();
    enum be_status status = take(run, BE_IMAGES_TRAIN, batch, error);
    status = status
                 ? status
                 : be_net_step(run->net, batch->images, batch->labels, batch->count, &step, error);
    if (!status) {
        count_step(run, batch, &step, be_now(&run->clock) - began_s, be_thread_time() - began_cpu_s,
                   epoch);
    }
    return status;
}

static enum be_status train_epoch(struct be_train_run *run, int number, size_t first,
                                  struct be_train_epoch *epoch, struct be_error *error) {
    struct be_loader *loader = run->loader[BE_IMAGES_TRAIN];
    const double began_s = be_now(&run->clock);
    enum be_status status = BE_OK;
    struct be_batch batch = {0};
    *epoch = (struct be_train_epoch){.number = number, .test_loss = NAN, .test_accuracy = NAN};
    be_loader_begin(loader, run->seed, (uint64_t)number, first);
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

static enum be_status test_epoch(struct be_train_run *run, struct be_train_epoch *epoch,
                                 struct be_error *error) {
    struct be_loader *loader = run->loader[BE_IMAGES_TEST];
    const double began_s = be_now(&run->clock);
    enum be_status status = BE_OK;
    struct be_batch batch = {0};
    double loss = 0, images = 0, correct = 0;
    be_loader_begin(loader, 0, 0, 0);
    while (!run->stopped && (status = be_loader_next(loader, &batch, error)) == BE_OK &&
           batch.count) {
        struct be_net_step step;
        status = take(run, BE_IMAGES_TEST, &batch, error);
        status = status ? status
                        : be_net_evaluate(run->net, batch.images, batch.labels, batch.count, &step,
                                          error);
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

/* Room for one more: epochs that were asked for may be more than there will be. */
static struct be_train_epoch *next_epoch(struct be_train_result *result) {
    const size_t few = 16;
    if (result->epochs % few == 0) {
        struct be_train_epoch *more =
            realloc(result->epoch, (result->epochs + few) * sizeof *result->epoch);
        if (!more) {
            return NULL;
        }
        result->epoch = more;
    }
    return &result->epoch[result->epochs++];
}

/* A run that was ended within an epoch is saved there. */
static enum be_status one_epoch(struct be_train_run *run, int number, size_t first,
                                struct be_error *error) {
    const struct be_train_plan *plan = run->plan;
    struct be_train_epoch *epoch = next_epoch(run->result);
    enum be_status status = epoch ? train_epoch(run, number, first, epoch, error)
                                  : be_fail(error, BE_NOMEM, "train: no host memory");
    if (status) {
        return status;
    }
    const bool whole = be_net_steps(run->net) ==
                       (uint64_t)number * be_loader_batches(run->loader[BE_IMAGES_TRAIN]);
    if (whole) {
        be_net_epoch_end(run->net);
    }
    be_train_save(run);
    if (whole && !plan->no_test) {
        status = test_epoch(run, epoch, error);
    }
    if (plan->epoch) {
        plan->epoch(plan->context, epoch);
    }
    return status;
}

enum be_status be_train_epochs(struct be_train_run *run, struct be_error *error) {
    const struct be_train_plan *plan = run->plan;
    struct be_train_result *result = run->result;
    int done = 0;
    size_t first = 0;
    enum be_status status = be_train_resume(run, &done, &first, error);
    if (!status && plan->begin) {
        plan->begin(plan->context, result);
    }
    run->began_s = be_now(&run->clock);
    while (!status && !run->stopped && done < result->epochs_planned) {
        status = one_epoch(run, ++done, first, error);
        first = 0;
    }
    result->partial = run->stopped && be_net_epochs(run->net) < result->epochs_planned;
    return status;
}
