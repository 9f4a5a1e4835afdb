#include "train/checkpoint.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"

/* Numbers of the images and of the batches: steps of a checkpoint mean something with these alone. */
static void write_note(const struct be_train_run *run, char note[BE_NOTE]) {
    const struct be_train_result *result = run->result;
    char made[BE_NAME] = "";
    if (!*result->folder) {
        snprintf(made, sizeof made, " made from seed %llu", (unsigned long long)run->plan->seed);
    }
    snprintf(note, BE_NOTE, "%llu images of %s%s, batches of %llu",
             (unsigned long long)result->images, result->data, made,
             (unsigned long long)result->batch);
}

static enum be_status place_in(const struct be_train_run *run, const char *note, int *epoch,
                               size_t *batch, struct be_error *error) {
    const char *file = run->plan->resume;
    const uint64_t batches = be_loader_batches(run->loader[BE_IMAGES_TRAIN]);
    const uint64_t steps = be_net_steps(run->net);
    char here[BE_NOTE];
    write_note(run, here);
    *epoch = be_net_epochs(run->net);
    if (strcmp(note, here) != 0) {
        return be_fail(error, BE_USAGE,
                       "%s: goes on with %s, and this run has %s: --data, --images, --batch and "
                       "--seed must be those of its run",
                       file, *note ? note : "other batches", here);
    }
    if (*epoch >= run->result->epochs_planned) {
        return be_fail(error, BE_USAGE, "%s: has %d epochs already: --epochs=%d trains one more",
                       file, *epoch, *epoch + 1);
    }
    const uint64_t before = batches * (uint64_t)*epoch;
    if (steps < before || steps - before >= batches) {
        return be_fail(error, BE_IO, "%s: %llu steps in %d epochs of %llu: damaged", file,
                       (unsigned long long)steps, *epoch, (unsigned long long)batches);
    }
    *batch = (size_t)(steps - before);
    return BE_OK;
}

enum be_status be_train_resume(struct be_train_run *run, int *epoch, size_t *batch,
                               struct be_error *error) {
    bool resumed = false;
    char note[BE_NOTE] = "";
    *epoch = 0;
    *batch = 0;
    if (!run->plan->resume) {
        return BE_OK;
    }
    enum be_status status = be_net_load(run->net, run->plan->resume, &resumed, note, error);
    if (status || !resumed) { /* weights alone: training begins with them */
        return status;
    }
    run->seed = be_net_seed(run->net);
    run->result->seed = run->seed;
    return place_in(run, note, epoch, batch, error);
}

void be_train_save(struct be_train_run *run) {
    const struct be_train_plan *plan = run->plan;
    struct be_train_result *result = run->result;
    char note[BE_NOTE];
    if (!plan->save) {
        return;
    }
    write_note(run, note);
    result->unsaved.status = BE_OK;
    if (be_net_save(run->net, plan->save, BE_NET_CHECKPOINT, note, &result->unsaved) == BE_OK) {
        be_copy_text(result->checkpoint, sizeof result->checkpoint, plan->save);
        result->saved_steps = be_net_steps(run->net);
    } else if (plan->remark) {
        plan->remark(plan->context, result->unsaved.text);
    }
}
