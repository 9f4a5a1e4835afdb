/* The pretend GPU's graphs, unified and page-locked memory, and facts: as lazy as the rest of it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "device/null/null.h"

void be_null_facts(struct be_device *device,
                   void (*tell)(void *context, const char *name, const char *text, double number),
                   void *context) {
    tell(context, "driver", device->info.driver, NAN);
    tell(context, "multiprocessors", "1", 1);
    tell(context, "memory_bytes", "4 GB", device->info.memory_bytes);
    tell(context, "ecc", "off", 0);
}

/* ---- graphs --------------------------------------------------------------------------------- */

static void free_list(struct be_null_list *list) {
    struct be_null_command *c;
    while (list && (c = be_null_take(list)) != NULL) {
        free(c);
    }
    free(list);
}

enum be_status be_null_capture(struct be_device *device, enum be_queue queue,
                               struct be_error *error) {
    struct be_null_device *d = (struct be_null_device *)device;
    if (d->capture[queue]) {
        return be_fail(error, BE_USAGE, "%s: this queue is captured already", device->info.id);
    }
    d->capture[queue] = calloc(1, sizeof *d->capture[queue]);
    return d->capture[queue] ? BE_OK : be_fail(error, BE_NOMEM, "graph: no host memory");
}

enum be_status be_null_captured(struct be_device *device, enum be_queue queue,
                                struct be_graph *graph, struct be_error *error) {
    struct be_null_device *d = (struct be_null_device *)device;
    struct be_null_list *list = d->capture[queue];
    *graph = (struct be_graph){0};
    if (!list) {
        return be_fail(error, BE_USAGE, "%s: this queue is not captured", device->info.id);
    }
    d->capture[queue] = NULL;
    *graph = (struct be_graph){.handle = (uintptr_t)list, .nodes = list->count};
    return BE_OK;
}

enum be_status be_null_replay(struct be_device *device, enum be_queue queue,
                              const struct be_graph *graph, struct be_error *error) {
    const struct be_null_list *list = (const struct be_null_list *)graph->handle;
    for (const struct be_null_command *from = list->head; from; from = from->next) {
        struct be_null_command *c = be_null_put(device, queue, error);
        if (!c) {
            return BE_NOMEM;
        }
        *c = *from;
        c->next = NULL;
        for (int i = 0; i < c->arguments; i++) {
            if (c->argument[i].kind == BE_ARGUMENT_BUFFER) {
                c->argument[i].buffer = &c->buffer[i];
            }
        }
    }
    return BE_OK;
}

void be_null_forget_graph(struct be_device *device, struct be_graph *graph) {
    (void)device;
    free_list((struct be_null_list *)graph->handle);
    *graph = (struct be_graph){0};
}

/* ---- unified memory ------------------------------------------------------------------------- */

enum be_status be_null_unify(struct be_device *device, size_t bytes, struct be_unified *unified,
                             struct be_error *error) {
    *unified = (struct be_unified){0};
    enum be_status status = device->ops->memory->alloc(device, bytes, &unified->buffer, error);
    unified->host = (void *)unified->buffer.handle;
    return status;
}

void be_null_release_unified(struct be_device *device, struct be_unified *unified) {
    device->ops->memory->release(device, &unified->buffer);
    *unified = (struct be_unified){0};
}

/* ---- page-locked memory of the caller's ------------------------------------------------------ */

enum be_status be_null_lock(struct be_device *device, void *memory, size_t bytes,
                            struct be_error *error) {
    (void)device, (void)memory, (void)bytes, (void)error;
    return BE_OK; /* its copies are the host's own */
}

void be_null_unlock(struct be_device *device, void *memory) {
    (void)device, (void)memory;
}
