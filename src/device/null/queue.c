/* Commands of the pretend GPU in the order in which they were put: into a queue, or into a graph. */
#include <stdlib.h>

#include "base/error.h"
#include "device/null/null.h"

static void append(struct be_null_list *list, struct be_null_command *command) {
    if (list->tail) {
        list->tail->next = command;
    } else {
        list->head = command;
    }
    list->tail = command;
    list->count++;
}

struct be_null_command *be_null_take(struct be_null_list *list) {
    struct be_null_command *c = list->head;
    if (c) {
        list->head = c->next;
        list->tail = c->next ? list->tail : NULL;
        list->count--;
    }
    return c;
}

struct be_null_command *be_null_put(struct be_device *device, enum be_queue queue,
                                    struct be_error *error) {
    struct be_null_device *d = (struct be_null_device *)device;
    struct be_null_command *c = calloc(1, sizeof *c);
    if (!c) {
        be_fail(error, BE_NOMEM, "%s: no host memory for a command", device->info.id);
        return NULL;
    }
    append(d->capture[queue] ? d->capture[queue] : &d->queue[queue], c);
    return c;
}
