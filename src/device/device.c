#include "device/device.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

const struct be_device_ops *const be_device_backends[] = {
    &be_cpu_ops, &be_cuda_ops, &be_opencl_ops, &be_null_ops, NULL,
};

const struct be_device_ops *be_device_backend(const char *name) {
    for (const struct be_device_ops *const *ops = be_device_backends; *ops; ops++) {
        if (strcmp((*ops)->name, name) == 0) {
            return *ops;
        }
    }
    return NULL;
}

enum be_status be_device_open(const struct be_device_info *info, struct be_team *team,
                              struct be_device **device, struct be_error *error) {
    const struct be_device_ops *ops = be_device_backend(info->backend);
    *device = NULL;
    if (!ops) {
        return be_fail(error, BE_USAGE, "%s: no backend is called %s", info->id, info->backend);
    }
    const enum be_status status = be_device_fits(ops, error);
    return status == BE_OK ? ops->open(info, team, device, error) : status;
}

static void note_absence(struct be_machine *machine, const char *backend, const char *reason) {
    if (machine->absences < BE_DEVICES_MAX) {
        struct be_absence *absence = &machine->absent[machine->absences++];
        be_copy_text(absence->backend, sizeof absence->backend, backend);
        be_copy_text(absence->reason, sizeof absence->reason, reason);
    }
}

/* The same silicon through two doors: same PCI address, or a CPU that is shown by OpenCL. */
static void find_twins(struct be_machine *machine) {
    for (int i = 1; i < machine->devices; i++) {
        struct be_device_info *later = &machine->device[i];
        for (int j = 0; j < i && !later->same_as[0]; j++) {
            const struct be_device_info *earlier = &machine->device[j];
            bool same_slot = later->address[0] && strcmp(later->address, earlier->address) == 0;
            bool both_cpu = later->kind == BE_KIND_CPU && strcmp(earlier->id, "cpu") == 0;
            if (same_slot || both_cpu) {
                be_copy_text(later->same_as, sizeof later->same_as, earlier->id);
            }
        }
    }
}

void be_device_probe_all(struct be_machine *machine) {
    machine->devices = 0;
    machine->absences = 0;
    for (const struct be_device_ops *const *ops = be_device_backends; *ops; ops++) {
        struct be_error error = {0};
        int found = 0;
        enum be_status status = be_device_fits(*ops, &error);
        if (status == BE_OK) {
            status = (*ops)->probe(&machine->device[machine->devices],
                                   BE_DEVICES_MAX - machine->devices, &found, &error);
        }
        machine->devices += found;
        if (status != BE_OK && (*ops != &be_null_ops || getenv("BREAKEVEN_NULL"))) {
            note_absence(machine, (*ops)->name, error.text);
        }
    }
    find_twins(machine);
}

bool be_device_named(const struct be_device_info *info, const char *name) {
    return strcmp(info->id, name) == 0 || strcmp(info->backend, name) == 0;
}

enum be_status be_device_known(const struct be_machine *machine, const char *name,
                               struct be_error *error) {
    char known[BE_NOTE] = "";
    for (int i = 0; i < machine->devices; i++) {
        if (be_device_named(&machine->device[i], name)) {
            return BE_OK;
        }
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "",
                 machine->device[i].id);
    }
    for (int i = 0; i < machine->absences; i++) {
        const char *backend = machine->absent[i].backend;
        if (strncmp(name, backend, strlen(backend)) == 0) {
            return be_fail(error, BE_ABSENT, "device %s: %.200s; here are: %.100s", name,
                           machine->absent[i].reason, known);
        }
    }
    char backend[BE_NAME];
    be_copy_text(backend, sizeof backend, name);
    backend[strcspn(backend, ":")] = '\0';
    if (be_device_backend(backend)) {
        return be_fail(error, BE_ABSENT, "device %.60s: not on this machine; here are: %.200s",
                       name, known);
    }
    char kinds[BE_NAME] = "";
    for (const struct be_device_ops *const *ops = be_device_backends; *ops; ops++) {
        const size_t used = strlen(kinds);
        if (*ops != &be_null_ops) {
            snprintf(kinds + used, sizeof kinds - used, "%s%s", used ? ", " : "", (*ops)->name);
        }
    }
    return be_fail(error, BE_USAGE, "device %.60s: no such kind, of %s; here are: %.200s", name,
                   kinds, known);
}
