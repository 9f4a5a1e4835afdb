#include "bench/place.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"

enum be_status be_place_open_cpu(const struct be_device_info *info, const struct be_cores *cores,
                                 int threads, struct be_team *team, const struct be_ceilings *known,
                                 struct be_place *place, struct be_error *error) {
    *place = (struct be_place){.info = *info, .threads = threads, .team = team};
    enum be_status status = BE_OK;
    if (!team || be_team_size(team) != threads) {
        status = be_team_open(cores, threads, &place->team, error);
        place->own_team = status == BE_OK;
    }
    if (status == BE_OK && known) {
        place->ceilings = *known;
    } else if (status == BE_OK) {
        status = be_ceilings_cpu(place->team, cores->cache_bytes, &place->ceilings, error);
    }
    return status;
}

static void set_broken(struct be_place *place, const struct be_error *error) {
    place->broken = true;
    place->absent = error->status == BE_ABSENT;
    be_copy_text(place->note, sizeof place->note, error->text);
}

/* The pretend device neither: how fast it runs one lane after the other is no ceiling. */
bool be_place_has_ceilings(const struct be_device_info *info) {
    return info->kind != BE_KIND_CPU && strcmp(info->backend, "null") != 0;
}

void be_place_open_device(const struct be_device_info *info, struct be_team *team,
                          struct be_place *silicon, const struct be_ceilings *known,
                          struct be_place *place) {
    struct be_error error = {0};
    *place = (struct be_place){.info = *info, .team = team};
    place->silicon = be_place_has_ceilings(info) ? NULL : silicon;
    const struct be_device_ops *ops = be_device_backend(info->backend);
    enum be_status status = ops->open(info, team, &place->device, &error);
    if (status == BE_OK && place->silicon) {
        place->ceilings = place->silicon->ceilings;
    } else if (status == BE_OK && known) {
        place->ceilings = *known;
    } else if (status == BE_OK) {
        status = be_ceilings_device(place->device, &place->ceilings, &error);
    }
    struct be_clock clock = be_clock_host();
    double start = be_now(&clock);
    if (status == BE_OK) {
        status = be_stage_open(place->device, team, &place->stage, &error);
        place->open_s = info->start_s + place->device->open_s + be_now(&clock) - start;
    }
    if (status != BE_OK) {
        set_broken(place, &error);
    }
}

static void discard(struct be_place *place) {
    if (place->workload && place->device) {
        place->workload->discard(place->device, &place->prepared);
    }
    place->workload = NULL;
}

void be_place_close(struct be_place *place) {
    discard(place);
    be_stage_close(place->stage);
    if (place->device) {
        place->device->ops->close(place->device);
    }
    if (place->own_team) {
        be_team_close(place->team);
    }
    *place = (struct be_place){0};
}

enum be_status be_place_prepare(struct be_place *place, const struct be_workload *workload,
                                struct be_error *error) {
    if (!place->device || place->workload == workload) {
        return BE_OK;
    }
    discard(place);
    struct be_clock clock = be_clock_host();
    double start = be_now(&clock);
    enum be_status status = workload->prepare(place->device, &place->prepared, error);
    place->prepare_s = be_now(&clock) - start;
    if (status == BE_OK) {
        place->workload = workload;
    }
    return status;
}

void be_place_raise_ceilings(struct be_place *place) {
    struct be_ceilings again;
    if (place->silicon) {
        be_place_raise_ceilings(place->silicon);
        place->ceilings = place->silicon->ceilings;
        return;
    }
    enum be_status status =
        place->device ? be_ceilings_device(place->device, &again, NULL)
                      : be_ceilings_cpu(place->team, place->ceilings.cache_bytes, &again, NULL);
    if (status == BE_OK) {
        be_ceilings_raise(&place->ceilings, &again);
    }
}
