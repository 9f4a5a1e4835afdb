#include "cli/decide/waits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static enum be_status gather(const struct be_cli_places *places, const char *cluster,
                             struct be_cli_waits *waits, struct be_error *error) {
    const size_t most = (size_t)places->places + 1;
    waits->wish = calloc(most, sizeof *waits->wish);
    waits->of = calloc(most, sizeof *waits->of);
    waits->forecast = calloc(most, sizeof *waits->forecast);
    if (!waits->wish || !waits->of || !waits->forecast) {
        return be_fail(error, BE_NOMEM, "no host memory for waits");
    }
    for (int i = 0; i < places->places; i++) {
        const struct be_decide_place *place = &places->place[i];
        const struct be_cli_place *job = &places->job[i];
        if (!place->here && strcmp(place->where, cluster) == 0) {
            waits->of[waits->jobs] = i;
            waits->wish[waits->jobs++] = (struct be_job_wish){
                .account = job->request.account,
                .cpus = place->cores,
                .gpus = place->gpus,
                .memory_bytes = job->memory_bytes > 0 ? job->memory_bytes : 0,
                .limit_s = job->request.time_s,
            };
        }
    }
    return BE_OK;
}

/* The row of the partition that the catalogue names; else the first, which is the best, that could take the job. */
static const struct be_forecast_row *row_of(const struct be_forecast *forecast,
                                            const char *partition) {
    for (int i = 0; *partition && i < forecast->rows; i++) {
        if (strcmp(forecast->row[i].partition, partition) == 0) {
            return forecast->row[i].enough ? &forecast->row[i] : NULL;
        }
    }
    for (int i = 0; i < forecast->rows; i++) {
        if (forecast->row[i].enough && !forecast->row[i].beyond) {
            return &forecast->row[i];
        }
    }
    return NULL;
}

static void give(struct be_cli_places *places, int i, const struct be_forecast *forecast) {
    struct be_decide_place *place = &places->place[i];
    if (forecast->gpus_unknown && place->gpus) {
        be_cli_places_remark(places,
                             "%s, %s: its wait is not known: no job of the accounting has a GPU",
                             place->where, place->name);
        return;
    }
    const struct be_forecast_row *row = row_of(forecast, place->partition);
    if (!row) {
        be_cli_places_remark(places, "%s, %s: its wait is not known: too few such jobs started",
                             place->where, place->name);
        return;
    }
    place->wait = &row->odds;
    if (row->occasions >= 0 && row->occasions < BE_OCCASIONS_ENOUGH) {
        be_cli_places_remark(
            places,
            "%s, %s: jobs waited so long on %d occasion%s only: one event decides, so its "
            "probabilities are less sure than they say",
            place->where, place->name, row->occasions, row->occasions == 1 ? "" : "s");
    }
    if (!*place->partition) {
        be_copy_text(place->partition, sizeof place->partition, row->partition);
    }
}

enum be_status be_cli_waits_make(const struct be_job_input *input, const char *cluster,
                                 const char *deadline, struct be_cli_places *places,
                                 struct be_cli_waits *waits, struct be_error *error) {
    const struct be_forecast_options options = {.deadline = deadline, .live = input->files == 0};
    waits->deadline_in_s = NAN;
    enum be_status status = gather(places, cluster, waits, error);
    if (status || waits->jobs == 0) {
        return status;
    }
    status =
        be_forecast_make_each(input, &options, waits->wish, waits->jobs, waits->forecast, error);
    if (status) {
        waits->jobs = 0; /* there are no forecasts */
        return status;
    }
    waits->deadline_in_s = waits->forecast->deadline_in_s;
    for (int i = 0; i < waits->jobs; i++) {
        give(places, waits->of[i], &waits->forecast[i]);
    }
    return BE_OK;
}

void be_cli_waits_free(struct be_cli_waits *waits) {
    for (int i = 0; i < waits->jobs; i++) {
        be_forecast_free(&waits->forecast[i]);
    }
    free(waits->forecast);
    free(waits->wish);
    free(waits->of);
}
