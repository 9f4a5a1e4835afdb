#include "nn/device/held.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "nn/device/launch.h"
#include "nn/device/parts.h"

enum { LEVELS = 256 };

/* Through the staging memory, piece after piece. Waits. */
static enum be_status send(struct be_nn_on_device *net, const struct be_buffer *to,
                           const void *from, size_t bytes, struct be_error *error) {
    const struct be_queue_ops *queue = net->device->ops->queue;
    enum be_status status = BE_OK;
    for (size_t at = 0; status == BE_OK && at < bytes; at += net->turn_at) {
        const size_t left = bytes - at;
        const size_t piece = left < net->turn_at ? left : net->turn_at;
        memcpy(net->staging.host, (const char *)from + at, piece);
        status = queue->write(net->device, BE_QUEUE_WORK, to, at, net->staging.host, piece, error);
        if (status == BE_OK) {
            status = queue->drain(net->device, BE_QUEUE_WORK, error);
        }
    }
    return status;
}

static enum be_status check_room(struct be_nn_on_device *net, const struct be_net_set *from,
                                 double bytes, struct be_error *error) {
    double has = 0;
    double total = 0;
    char need[BE_WORD];
    char left[BE_WORD];
    const enum be_status status =
        net->device->ops->memory->capacity(net->device, &has, &total, error);
    has = isfinite(has) ? has : total;
    if (status != BE_OK || has >= bytes) {
        return status;
    }
    return be_fail(error, BE_NOMEM,
                   "%s: %zu images need %s beside the net, and %s are free: keep them in memory "
                   "(--keep=ram), or take fewer (--images=N)",
                   net->device->info.id, from->count,
                   be_format_bytes(need, sizeof need, bytes, "?"),
                   be_format_bytes(left, sizeof left, has, "?"));
}

static void release(struct be_nn_on_device *net, struct be_nn_held *held) {
    struct be_buffer *all[] = {&held->images, &held->labels, &held->levels, &held->order};
    for (size_t i = 0; i < BE_COUNT(all); i++) {
        net->device->ops->memory->release(net->device, all[i]);
    }
}

enum be_status be_nn_on_device_hold(struct be_nn_on_device *net, int set,
                                    const struct be_net_set *from, struct be_error *error) {
    const struct be_nn_place *first = &net->shape->place[0];
    struct be_nn_held *held = &net->held[set];
    const struct {
        struct be_buffer *to;
        const void *from;
        size_t bytes;
    } parts[] = {
        {&held->images, from->images, from->count * net->shape->pixels},
        {&held->labels, from->labels, from->count},
        {&held->levels, from->levels, (size_t)first->channels * LEVELS * sizeof(float)},
        {&held->order, NULL, net->batch * sizeof(uint32_t)},
    };
    double bytes = 0;
    for (size_t i = 0; i < BE_COUNT(parts); i++) {
        bytes += (double)parts[i].bytes;
    }
    release(net, held);
    enum be_status status = check_room(net, from, bytes, error);
    for (size_t i = 0; status == BE_OK && i < BE_COUNT(parts); i++) {
        status = net->device->ops->memory->alloc(net->device, parts[i].bytes, parts[i].to, error);
        if (status == BE_OK && parts[i].from) {
            status = send(net, parts[i].to, parts[i].from, parts[i].bytes, error);
        }
    }
    return status;
}

void be_nn_on_device_let_go(struct be_nn_on_device *net) {
    for (int set = 0; set < BE_NET_SETS; set++) {
        release(net, &net->held[set]);
    }
}

enum be_status be_nn_on_device_take(struct be_nn_on_device *net, int set, const uint32_t *image,
                                    size_t count, struct be_error *error) {
    const struct be_nn_place *first = &net->shape->place[0];
    const struct be_nn_held *held = &net->held[set];
    const int64_t pixels = (int64_t)net->shape->pixels;
    struct be_nn_run run = {.net = net, .images = (int64_t)count, .status = BE_OK, .error = error};
    const struct be_argument argument[] = {
        be_nn_buffer(&held->images), be_nn_buffer(&held->labels),
        be_nn_buffer(&held->order),  be_nn_buffer(&held->levels),
        be_nn_buffer(&net->images),  be_nn_buffer(&net->labels),
        be_nn_whole(pixels),         be_nn_whole(first->height * first->width),
        be_nn_whole(run.images)};
    /* Weights may go through the rest of the staging memory while the numbers are on their way. */
    char *staged = (char *)net->staging.host + net->order_at;
    memcpy(staged, image, count * sizeof *image);
    run.status = net->device->ops->queue->write(net->device, BE_QUEUE_WORK, &held->order, 0, staged,
                                                count * sizeof *image, error);
    be_nn_launch(&run, &net->kernel[BE_NN_GATHER], run.images * pixels, argument,
                 BE_COUNT(argument));
    return run.status;
}
