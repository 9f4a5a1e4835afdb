#include "bench/case/place.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"

enum be_status be_place_open_cpu(const struct be_device_info *info, const struct be_cores *cores,
                                 int threads, struct be_team *team, const struct be_ceilings *known,
                                 double limit_s, struct be_cancel cancel, struct be_place *place,
                                 struct be_error *error) {
    *place = (struct be_place){.info = *info,
                               .threads = threads,
                               .team = team,
                               .cancel = cancel,
                               .first_cache_bytes = cores->first_cache_bytes};
    enum be_status status = BE_OK;
    if (!team || be_team_size(team) != threads) {
        status = be_team_open(cores, threads, &place->team, error);
        place->own_team = status == BE_OK;
    }
    if (status == BE_OK && known) {
        place->ceilings = *known;
    } else if (status == BE_OK) {
        status = be_ceilings_cpu(place->team, cores->cache_bytes, limit_s, cancel, &place->ceilings,
                                 error);
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
                          struct be_place *widest, const struct be_ceilings *known,
                          struct be_cancel cancel, struct be_place *place) {
    struct be_error error = {0};
    *place = (struct be_place){.info = *info, .team = team, .cancel = cancel, .maker = widest};
    place->silicon = be_place_has_ceilings(info) ? NULL : widest;
    enum be_status status = be_device_open(info, team, &place->device, &error);
    if (status == BE_OK && place->silicon) {
        place->ceilings = place->silicon->ceilings;
    } else if (status == BE_OK && known) {
        place->ceilings = *known;
    } else if (status == BE_OK) {
        status = be_ceilings_device(place->device, cancel, &place->ceilings, &error);
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

static void discard(struct be_place *place, int variant) {
    const struct be_workload *workload = place->problem.workload;
    if (place->prepared[variant].ready) {
        workload->variant[variant].discard(place->device, &place->prepared[variant].code);
    }
    memset(&place->prepared[variant], 0, sizeof place->prepared[variant]);
}

static void discard_all(struct be_place *place) {
    for (int i = 0; i < BE_VARIANTS; i++) {
        discard(place, i);
    }
    place->problem = (struct be_problem){0};
}

void be_place_close(struct be_place *place) {
    discard_all(place);
    be_stage_close(place->stage);
    if (place->device) {
        place->device->ops->close(place->device);
    }
    if (place->own_team) {
        be_team_close(place->team);
    }
    *place = (struct be_place){0};
}

/* The same but for its size. */
static bool same_problem(const struct be_problem *a, const struct be_problem *b) {
    bool same = a->workload == b->workload && a->real == b->real && a->swept == b->swept;
    for (int i = 0; i < BE_PARAMETERS; i++) {
        same &= i == b->swept || a->value[i] == b->value[i];
    }
    return same;
}

/* A BLAS without LAPACK is enough for some variants. */
static enum be_status any_library_does(const struct be_place *place, const struct be_variant *v,
                                       struct be_error *error) {
    enum be_status status = v->host_ready ? BE_ABSENT : BE_OK;
    for (int i = 0; status != BE_OK && (i == 0 || i < place->libraries); i++) {
        status = v->host_ready(place->library ? place->library + i : NULL, place->threads, error);
    }
    return status;
}

enum be_status be_place_prepare(struct be_place *place, const struct be_problem *problem,
                                int variant, struct be_error *error) {
    const struct be_variant *v = &problem->workload->variant[variant];
    if (!place->device) {
        return any_library_does(place, v, error);
    }
    if (v->made_on_host) {
        return BE_OK;
    }
    if (!same_problem(&place->problem, problem)) {
        discard_all(place);
        place->problem = *problem;
    }
    const bool anew = v->each_size || (v->each_of >> problem->swept & 1u);
    if (place->prepared[variant].ready && !anew) {
        return BE_OK;
    }
    discard(place, variant);
    struct be_clock clock = be_clock_host();
    double start = be_now(&clock);
    enum be_status status =
        v->prepare(place->device, problem, &place->prepared[variant].code, error);
    place->prepared[variant].seconds = be_now(&clock) - start;
    place->prepared[variant].ready = status == BE_OK;
    return status;
}

double be_scratch_bytes(const struct be_place *place, const struct be_problem *problem,
                        int variant) {
    const struct be_variant *v = &problem->workload->variant[variant];
    size_t bytes = 0;
    if (place->device && v->device_scratch) {
        bytes = v->device_scratch(problem);
    } else if (place->threads && v->host_scratch) {
        bytes = v->host_scratch(problem, place->threads);
    }
    return (double)bytes;
}

enum be_status be_scratch_open(struct be_place *place, const struct be_problem *problem,
                               int variant, struct be_scratch *scratch, struct be_error *error) {
    size_t bytes = (size_t)be_scratch_bytes(place, problem, variant);
    enum be_status status = BE_OK;
    *scratch = (struct be_scratch){0};
    if (bytes > 0 && place->device) {
        status = place->device->ops->memory->alloc(place->device, bytes, &scratch->device, error);
    } else if (bytes > 0) {
        status = be_pages_get(bytes, &scratch->host, error);
        if (status == BE_OK) { /* as workload.h promises */
            memset(scratch->host.memory, 0, bytes < BE_WHOLE_ALIGN ? bytes : BE_WHOLE_ALIGN);
        }
    }
    return status == BE_OK ? BE_OK
                           : be_context(error, "%s, %s: working memory", problem->workload->name,
                                        problem->workload->variant[variant].name);
}

void be_scratch_close(struct be_place *place, struct be_scratch *scratch) {
    if (place->device) {
        place->device->ops->memory->release(place->device, &scratch->device);
    }
    be_pages_give_back(&scratch->host);
}

void be_place_raise_ceilings(struct be_place *place, double working_set) {
    struct be_ceilings again;
    if (place->silicon) {
        be_place_raise_ceilings(place->silicon, working_set);
        place->ceilings = place->silicon->ceilings;
        return;
    }
    enum be_status status = place->device
                                ? be_ceilings_device(place->device, place->cancel, &again, NULL)
                                : be_ceilings_cpu_again(place->team, &place->ceilings, working_set,
                                                        place->cancel, &again, NULL);
    if (status == BE_OK) {
        be_ceilings_raise(&place->ceilings, &again);
    }
}
