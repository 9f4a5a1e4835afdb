#include "cli/train/device.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "device/device.h"
#include "host/cores.h"
#include "machine/describe.h"

static enum be_status open_named(const struct be_machine *machine, const char *id,
                                 struct be_device **device, char title[BE_NOTE],
                                 struct be_error *error) {
    enum be_status status = be_device_known(machine, id, error);
    for (int i = 0; !status && i < machine->devices; i++) {
        const struct be_device_info *info = &machine->device[i];
        if (be_device_named(info, id)) {
            snprintf(title, BE_NOTE, "%s, %s", info->id, info->name);
            return be_device_open(info, NULL, device, error);
        }
    }
    return status ? status : be_fail(error, BE_USAGE, "--device %.60s: there is no such one", id);
}

enum be_status be_cli_train_device(const char *id, struct be_device **device, char title[BE_NOTE],
                                   struct be_error *error) {
    struct be_machine *machine = calloc(1, sizeof *machine);
    struct be_cores *cores = calloc(1, sizeof *cores);
    enum be_status status = machine && cores ? be_machine_find(machine, cores, error)
                                             : be_fail(error, BE_NOMEM, "train: no host memory");
    *device = NULL;
    status = status ? status : open_named(machine, id, device, title, error);
    free(cores);
    free(machine);
    return status;
}

void be_cli_train_device_close(struct be_device *device) {
    if (device) {
        device->ops->close(device);
    }
}
