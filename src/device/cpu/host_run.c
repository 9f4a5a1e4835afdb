#include "device/cpu/cpu.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "host/pages.h"
#include "device/common/argument.h"

void be_host_run(const struct be_host_kernel *kernel, size_t first, size_t count, size_t lanes,
                 const struct be_argument *arguments, int arguments_count) {
    union be_argument_value kept[BE_HOST_ARGUMENTS];
    const void *value[BE_HOST_ARGUMENTS] = {0};
    for (int i = 0; i < arguments_count && i < BE_HOST_ARGUMENTS; i++) {
        (void)be_argument_value(&arguments[i], &kept[i]);
        value[i] = &kept[i];
    }
    struct be_launch_point at = {.lanes = {(long)lanes, 1, 1}};
    for (size_t group = first; group < first + count; group++) {
        at.group[0] = (long)group;
        for (size_t lane = 0; lane < lanes; lane++) {
            at.lane[0] = (long)lane;
            kernel->run(&at, value);
        }
    }
}

/* The kernel of that name, or BE_BUILD with the names there are. */
static enum be_status find_kernel(const struct be_host_kernel *list, const char *name,
                                  struct be_kernel *kernel, struct be_error *error) {
    char known[BE_NOTE] = "";
    kernel->handle = 0;
    for (const struct be_host_kernel *k = list; k && k->name; k++) {
        if (strcmp(k->name, name) == 0) {
            kernel->handle = (uintptr_t)k;
            return BE_OK;
        }
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, " %s", k->name);
    }
    return be_fail(error, BE_BUILD, "kernel %s: not in this program (it has%s)", name, known);
}

/* ---- operations that every device in host memory shares ------------------------------------- */

enum be_status be_host_alloc(struct be_device *device, size_t bytes, struct be_buffer *buffer,
                             struct be_error *error) {
    (void)device;
    struct be_pages pages;
    enum be_status status = be_pages_get(bytes, &pages, error);
    *buffer = (struct be_buffer){.handle = (uintptr_t)pages.memory, .bytes = bytes};
    return status;
}

void be_host_release(struct be_device *device, struct be_buffer *buffer) {
    (void)device;
    free((void *)buffer->handle);
    *buffer = (struct be_buffer){0};
}

enum be_status be_host_pin(struct be_device *device, size_t bytes, struct be_pinned *pinned,
                           struct be_error *error) {
    (void)device;
    struct be_pages pages;
    enum be_status status = be_pages_get(bytes, &pages, error);
    *pinned = (struct be_pinned){.host = pages.memory, .bytes = bytes};
    return status;
}

void be_host_unpin(struct be_device *device, struct be_pinned *pinned) {
    (void)device;
    free(pinned->host);
    *pinned = (struct be_pinned){0};
}

enum be_status be_host_build(struct be_device *device, const struct be_program *program,
                             struct be_module *module, struct be_error *error) {
    (void)device;
    *module = (struct be_module){.handle = (uintptr_t)program->host};
    return program->host ? BE_OK : be_fail(error, BE_BUILD, "%s: has no host form", program->name);
}

void be_host_drop(struct be_device *device, struct be_module *module) {
    (void)device;
    *module = (struct be_module){0};
}

enum be_status be_host_kernel_find(struct be_device *device, const struct be_module *module,
                                   const char *name, struct be_kernel *kernel,
                                   struct be_error *error) {
    (void)device;
    return find_kernel((const struct be_host_kernel *)module->handle, name, kernel, error);
}

void be_host_forget(struct be_device *device, struct be_kernel *kernel) {
    (void)device;
    kernel->handle = 0;
}
