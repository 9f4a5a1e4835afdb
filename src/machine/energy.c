#include "machine/energy.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

static const struct be_energy_source *const sources[] = {&be_energy_powercap, &be_energy_nvml,
                                                         &be_energy_rocm};

/* The first that has it; where none has, the reasons of all that might. */
enum be_status be_energy_open(const struct be_device_info *info, const char *files,
                              struct be_energy *energy, struct be_error *error) {
    enum be_status status = BE_ABSENT;
    char reasons[sizeof error->text] = "";
    *energy = (struct be_energy){0};
    for (size_t i = 0; i < BE_COUNT(sources); i++) {
        struct be_energy tried = {.source = sources[i], .files = files, .limit_w = NAN};
        struct be_error why;
        if (!sources[i]->counts(info)) {
            continue;
        }
        status = sources[i]->open(info, &tried, &why);
        if (status == BE_OK) {
            *energy = tried;
            return BE_OK;
        }
        const size_t used = strlen(reasons);
        snprintf(reasons + used, sizeof reasons - used, "%s%.200s", used ? "; " : "", why.text);
    }
    return be_fail(error, status, "%s",
                   *reasons ? reasons : "no energy counter of such a device is known");
}

enum be_status be_energy_read(struct be_energy *energy, double *joules, struct be_error *error) {
    return energy->source->read(energy, joules, error);
}

void be_energy_close(struct be_energy *energy) {
    if (energy->source) {
        energy->source->close(energy);
    }
    *energy = (struct be_energy){0};
}
