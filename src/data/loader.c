/* Batches by worker threads: a ring of slots, each filled piece by piece by whoever is free. */
#include "data/loader.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "data/order.h"
#include "data/pieces.h"

struct slot {
    struct be_batch_room room;
    size_t count, left; /* images; pieces that are not done */
    struct be_error error;
};

struct worker {
    struct be_loader *loader;
    struct be_decoder decoder; /* room and times of its own */
    pthread_t thread;
};

struct be_loader {
    struct be_loader_options options;
    struct be_clock clock;
    size_t images, batches, piece; /* piece: images that a worker takes at a time */
    uint32_t *order;
    struct slot *slot;
    size_t slots;
    struct worker
        *worker; /* one at least: the first is whoever takes batches, where there are no threads */
    int started;
    double wait_s;
    pthread_mutex_t lock;
    pthread_cond_t work, ready, idle;
    /* Under the lock. Batches before `used` may be overwritten; `next` is handed out next. */
    size_t used, next, claim_batch, claim_image;
    int at_work;
    bool quit;
};

static size_t count_of(const struct be_loader *loader, size_t batch) {
    const size_t first = batch * loader->options.batch;
    const size_t left = loader->images - first;
    return left < loader->options.batch ? left : loader->options.batch;
}

static void fill(struct be_loader *loader, struct worker *worker, size_t batch, size_t at,
                 size_t count) {
    struct slot *slot = &loader->slot[batch % loader->slots];
    struct be_error error = {0};
    const uint32_t *image = loader->order + batch * loader->options.batch + at;
    const enum be_status status =
        be_decode(&loader->options, &worker->decoder, image, count, &slot->room, at, &error);
    if (loader->started) {
        pthread_mutex_lock(&loader->lock);
    }
    if (status && !slot->error.status) {
        slot->error = error;
    }
    slot->left--;
    if (loader->started) {
        if (slot->left == 0) {
            pthread_cond_signal(&loader->ready);
        }
        loader->at_work--;
        if (loader->at_work == 0) {
            pthread_cond_signal(&loader->idle);
        }
        pthread_mutex_unlock(&loader->lock);
    }
}

static void prepare(struct be_loader *loader, size_t batch) {
    struct slot *slot = &loader->slot[batch % loader->slots];
    slot->count = count_of(loader, batch);
    slot->left = (slot->count + loader->piece - 1) / loader->piece;
    slot->error.status = BE_OK;
}

/* Under the lock: the next piece that may be made. */
static bool claim(struct be_loader *loader, size_t *batch, size_t *at, size_t *count) {
    if (loader->claim_batch >= loader->batches ||
        loader->claim_batch >= loader->used + loader->slots) {
        return false;
    }
    *batch = loader->claim_batch;
    *at = loader->claim_image;
    if (*at == 0) {
        prepare(loader, *batch);
    }
    const size_t left = count_of(loader, *batch) - *at;
    *count = left < loader->piece ? left : loader->piece;
    loader->claim_image += *count;
    if (*count == left) {
        loader->claim_batch++;
        loader->claim_image = 0;
    }
    loader->at_work++;
    return true;
}

static void *serve(void *argument) {
    struct worker *me = argument;
    struct be_loader *loader = me->loader;
    pthread_mutex_lock(&loader->lock);
    for (;;) {
        size_t batch, at, count;
        if (loader->quit) {
            break;
        }
        if (!claim(loader, &batch, &at, &count)) {
            pthread_cond_wait(&loader->work, &loader->lock);
            continue;
        }
        pthread_mutex_unlock(&loader->lock);
        fill(loader, me, batch, at, count);
        pthread_mutex_lock(&loader->lock);
    }
    pthread_mutex_unlock(&loader->lock);
    return NULL;
}

/* ---- opening -------------------------------------------------------------------------------- */

static enum be_status check(const struct be_loader_options *options, struct be_error *error) {
    if (options->batch < 1) {
        return be_fail(error, BE_USAGE, "--batch: at least 1 image");
    }
    if (options->numbers && options->workers) {
        return be_fail(error, BE_USAGE, "--workers %d: there is nothing to load", options->workers);
    }
    if (options->workers < 0 || options->workers > BE_LOADER_WORKERS_MAX) {
        return be_fail(error, BE_USAGE, "--workers %d: 0 to %d", options->workers,
                       (int)BE_LOADER_WORKERS_MAX);
    }
    if (options->prefetch < 1) {
        return be_fail(error, BE_USAGE, "--prefetch %d: at least 1 batch", options->prefetch);
    }
    if (be_images_count(options->data, options->part) == 0) {
        return be_fail(error, BE_USAGE, "there is no image to load");
    }
    return BE_OK;
}

static size_t piece_of(const struct be_loader_options *options) {
    const size_t most = 64; /* some of them lie in a core's cache */
    const size_t each = options->workers ? 2 * (size_t)options->workers : 1;
    const size_t piece = (options->batch + each - 1) / each;
    return piece < most ? piece : most;
}

static enum be_status make_room(struct be_loader *loader, struct be_error *error) {
    const struct be_loader_options *options = &loader->options;
    const size_t bytes = be_images_bytes(be_images_form_of(options->data));
    const int workers = options->workers ? options->workers : 1;
    loader->order = malloc(loader->images * sizeof *loader->order);
    loader->slot = calloc(loader->slots, sizeof *loader->slot);
    loader->worker = calloc((size_t)workers, sizeof *loader->worker);
    bool ok = loader->order && loader->slot && loader->worker;
    for (size_t i = 0; ok && !options->numbers && i < loader->slots; i++) {
        ok = be_batch_room_open(&loader->slot[i].room, options->batch, bytes);
    }
    for (int i = 0; ok && i < workers; i++) {
        loader->worker[i].loader = loader;
        ok = be_decoder_open(&loader->worker[i].decoder, options, loader->piece);
    }
    char needed[BE_WORD];
    return ok ? BE_OK
              : be_fail(error, BE_NOMEM,
                        "no host memory for %zu batches of %zu images, %s: a smaller --batch or "
                        "--prefetch needs less",
                        loader->slots, options->batch,
                        be_format_bytes(
                            needed, sizeof needed,
                            (double)(loader->slots * options->batch * bytes) * sizeof(float), "-"));
}

static enum be_status start(struct be_loader *loader, struct be_error *error) {
    for (int i = 0; i < loader->options.workers; i++) {
        const int failed =
            pthread_create(&loader->worker[i].thread, NULL, serve, &loader->worker[i]);
        if (failed) {
            return be_fail(error, BE_NOMEM, "--workers: number %d of %d did not start: %s", i + 1,
                           loader->options.workers, strerror(failed));
        }
        loader->started++;
    }
    return BE_OK;
}

enum be_status be_loader_open(const struct be_loader_options *options, struct be_loader **loader,
                              struct be_error *error) {
    *loader = NULL;
    enum be_status status = check(options, error);
    struct be_loader *new = status ? NULL : calloc(1, sizeof *new);
    if (!new) {
        return status ? status : be_fail(error, BE_NOMEM, "loader: no host memory");
    }
    new->options = *options;
    new->clock = be_clock_host();
    new->images = be_images_count(options->data, options->part);
    if (new->options.batch > new->images) {
        new->options.batch = new->images;
    }
    new->batches = (new->images + new->options.batch - 1) / new->options.batch;
    new->piece = piece_of(&new->options);
    new->slots = options->workers ? (size_t)options->prefetch + 1 : 1;
    if (new->slots > new->batches) {
        new->slots = new->batches;
    }
    new->claim_batch = new->next = new->batches; /* no epoch has begun */
    pthread_mutex_init(&new->lock, NULL);
    pthread_cond_init(&new->work, NULL);
    pthread_cond_init(&new->ready, NULL);
    pthread_cond_init(&new->idle, NULL);
    status = make_room(new, error);
    status = status ? status : start(new, error);
    if (status) {
        be_loader_close(new);
        return status;
    }
    *loader = new;
    return BE_OK;
}

void be_loader_close(struct be_loader *loader) {
    if (!loader) {
        return;
    }
    pthread_mutex_lock(&loader->lock);
    loader->quit = true;
    pthread_cond_broadcast(&loader->work);
    pthread_mutex_unlock(&loader->lock);
    for (int i = 0; i < loader->started; i++) {
        pthread_join(loader->worker[i].thread, NULL);
    }
    const int workers = loader->options.workers ? loader->options.workers : 1;
    for (int i = 0; loader->worker && i < workers; i++) {
        be_decoder_close(&loader->worker[i].decoder);
    }
    for (size_t i = 0; loader->slot && i < loader->slots; i++) {
        be_batch_room_close(&loader->slot[i].room);
    }
    pthread_cond_destroy(&loader->work);
    pthread_cond_destroy(&loader->ready);
    pthread_cond_destroy(&loader->idle);
    pthread_mutex_destroy(&loader->lock);
    free(loader->worker);
    free(loader->slot);
    free(loader->order);
    free(loader);
}

/* ---- batches -------------------------------------------------------------------------------- */

size_t be_loader_batches(const struct be_loader *loader) {
    return loader->batches;
}

static void set_order(struct be_loader *loader, uint64_t seed, uint64_t epoch) {
    if (loader->options.shuffle) {
        be_images_order(seed, epoch, loader->order, loader->images);
        return;
    }
    for (size_t i = 0; i < loader->images; i++) {
        loader->order[i] = (uint32_t)i;
    }
}

void be_loader_begin(struct be_loader *loader, uint64_t seed, uint64_t epoch, size_t first) {
    pthread_mutex_lock(&loader->lock);
    loader->claim_batch = loader->batches; /* nobody takes more of the old epoch */
    while (loader->at_work) {
        pthread_cond_wait(&loader->idle, &loader->lock);
    }
    set_order(loader, seed, epoch);
    first = first < loader->batches ? first : loader->batches;
    loader->used = loader->next = loader->claim_batch = first;
    loader->claim_image = 0;
    for (size_t i = 0; i < loader->slots; i++) {
        loader->slot[i].left = 1; /* not ready */
    }
    pthread_cond_broadcast(&loader->work);
    pthread_mutex_unlock(&loader->lock);
}

/* Whoever takes batches makes the next one. */
static void make_batch(struct be_loader *loader, size_t batch) {
    prepare(loader, batch);
    const size_t count = loader->slot[batch % loader->slots].count;
    for (size_t at = 0; at < count; at += loader->piece) {
        fill(loader, &loader->worker[0], batch, at,
             count - at < loader->piece ? count - at : loader->piece);
    }
}

/* Gives the batch before back, and waits for this one. */
static void await_batch(struct be_loader *loader, size_t batch) {
    struct slot *slot = &loader->slot[batch % loader->slots];
    pthread_mutex_lock(&loader->lock);
    loader->used = batch;
    pthread_cond_broadcast(&loader->work);
    while (batch >= loader->claim_batch || slot->left) {
        pthread_cond_wait(&loader->ready, &loader->lock);
    }
    pthread_mutex_unlock(&loader->lock);
}

enum be_status be_loader_next(struct be_loader *loader, struct be_batch *batch,
                              struct be_error *error) {
    *batch = (struct be_batch){.index = loader->next};
    if (loader->next >= loader->batches) {
        return BE_OK;
    }
    batch->number = loader->order + loader->next * loader->options.batch;
    if (loader->options.numbers) {
        batch->count = count_of(loader, loader->next++);
        return BE_OK;
    }
    const double began = be_now(&loader->clock);
    (loader->started ? await_batch : make_batch)(loader, loader->next);
    loader->wait_s += be_now(&loader->clock) - began;
    const struct slot *slot = &loader->slot[loader->next % loader->slots];
    loader->next++;
    if (slot->error.status) {
        return be_fail(error, slot->error.status, "%s", slot->error.text);
    }
    batch->count = slot->count;
    batch->images = slot->room.images;
    batch->labels = slot->room.labels;
    return BE_OK;
}

void be_loader_times(struct be_loader *loader, struct be_loader_times *times) {
    const int workers = loader->options.workers ? loader->options.workers : 1;
    *times = (struct be_loader_times){.wait_s = loader->wait_s};
    for (int i = 0; i < workers; i++) {
        be_decoder_times(&loader->worker[i].decoder, times);
    }
}
