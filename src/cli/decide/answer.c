#include "cli/decide/answer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cli/common/terminal.h"
#include "cli/decide/exchange.h"

static const char *const nobodys_command[] = {"./program"};

/* "CLUSTER=FILE"; without a cluster it is of the first. NULL: not of this one. */
static const char *file_of(const char *accounting, const char *cluster, bool first) {
    const char *mark = strchr(accounting, '=');
    const size_t length = mark ? (size_t)(mark - accounting) : 0;
    if (!mark) {
        return first ? accounting : NULL;
    }
    return strlen(cluster) == length && strncmp(accounting, cluster, length) == 0 ? mark + 1 : NULL;
}

static enum be_status add_waits(const struct be_cli_decide_asked *asked, const char *cluster,
                                bool first, struct be_cli_decide *d, struct be_error *error) {
    const char *file[BE_LIST_MAX];
    struct be_job_input input = {.file = file,
                                 .progress = asked->quiet ? NULL : be_cli_progress,
                                 .cancelled = be_cli_interrupted};
    for (int i = 0; i < asked->accountings; i++) {
        const char *one = file_of(asked->accounting[i], cluster, first);
        if (one) {
            file[input.files++] = one;
        }
    }
    if (input.files == 0 && !(asked->live && first)) {
        return BE_OK;
    }
    enum be_status status = be_cli_waits_make(&input, cluster, asked->deadline, &d->places,
                                              &d->waits[d->clusters++], error);
    be_cli_progress_clear();
    return status ? be_context(error, "waits on %s", cluster) : BE_OK;
}

static enum be_status add_cluster(const struct be_cli_decide_asked *asked, const char *name,
                                  bool first, struct be_cli_decide *d, struct be_error *error) {
    const struct be_cluster *cluster = NULL;
    struct be_job_request base = be_job_nothing();
    base.account = asked->account;
    base.word = asked->words ? (const char *const *)asked->command : nobodys_command;
    base.words = asked->words ? asked->words : 1;
    enum be_status status = be_catalogue_find(&d->catalogue, name, &cluster, error);
    status = status ? status : be_cli_places_of(&d->work, cluster, &base, &d->places, error);
    return status ? status : add_waits(asked, cluster->name, first, d, error);
}

static enum be_status add_places(const struct be_cli_decide_asked *asked, struct be_cli_decide *d,
                                 struct be_error *error) {
    enum be_status status = BE_OK;
    bool first = true;
    if (asked->ons > BE_CLI_CLUSTERS_MAX) {
        return be_fail(error, BE_USAGE, "--on: at most %d at a time", BE_CLI_CLUSTERS_MAX);
    }
    for (int i = 0; i < asked->ons && !status; i++) {
        if (strcmp(asked->on[i], "here") == 0) {
            status = be_cli_places_here(&d->work, &d->places, error);
        } else {
            status = add_cluster(asked, asked->on[i], first, d, error);
            first = false;
        }
    }
    return status;
}

static enum be_status find_deadline(const struct be_cli_decide_asked *asked,
                                    const struct be_cli_decide *d, double *in_s,
                                    struct be_error *error) {
    *in_s = asked->within_s;
    for (int i = 0; i < d->clusters && asked->deadline; i++) {
        if (d->waits[i].deadline_in_s > 0) {
            *in_s = d->waits[i].deadline_in_s;
        }
    }
    return asked->deadline && !(*in_s > 0)
               ? be_fail(error, BE_USAGE,
                         "--deadline: counts from the moment that a forecast holds for, and there "
                         "is none: add --accounting=FILE, or say --within=12:00:00")
               : BE_OK;
}

static void take_remarks(struct be_cli_decide *d) {
    struct be_decide_table *table = &d->table;
    bool elsewhere = false, scales = d->work.scales;
    for (int i = 0; i < d->places.places; i++) {
        elsewhere |= !d->places.place[i].here && !d->places.place[i].gpus;
    }
    if (elsewhere) {
        be_cli_places_remark(&d->places,
                             "Cores of a cluster are taken to be like those here, from 1.7 times "
                             "slower to 1.6 times faster.");
    }
    if (!be_cli_work_has_gpu(&d->work)) {
        be_cli_places_remark(&d->places,
                             "GPUs are left out: how fast they do this is not known. Say "
                             "--speedup=5..20 (`breakeven ask -- COMMAND` foretells it), or "
                             "--gpu-run=FILE of a run on one.");
    }
    be_cli_exchange_remark(&d->work, &d->places);
    if (d->work.asked.gpus > 1 && be_cli_work_has_gpu(&d->work) &&
        !be_cli_work_gpus_scale(&d->work)) {
        be_cli_places_remark(&d->places,
                             "Several GPUs are left out: how it uses them is not known. Give "
                             "--gpu-run twice, of runs on one and on several, or say "
                             "--parallel=0.9.");
    }
    if (!scales) {
        be_cli_places_remark(&d->places, "More cores are left out: how this uses them is not "
                                         "known. Say --parallel=0.9.");
    }
    for (int i = 0; i < d->places.remarks; i++) {
        be_copy_text(table->remark[table->remarks++], BE_NOTE, d->places.remark[i]);
    }
}

enum be_status be_cli_decide_make(const struct be_cli_decide_asked *asked, struct be_cli_decide *d,
                                  struct be_error *error) {
    double in_s = NAN;
    enum be_status status = be_catalogue_open(asked->catalogue, &d->catalogue, error);
    status = status ? status : be_cli_work_open(&asked->work, &d->work, error);
    status = status ? status : add_places(asked, d, error);
    status = status ? status : find_deadline(asked, d, &in_s, error);
    if (status) {
        return status;
    }
    d->table.place = d->places.place;
    be_copy_text(d->table.work, sizeof d->table.work, d->work.text);
    take_remarks(d);
    return be_decide(d->places.place, d->places.places, in_s, &d->table.decision, error);
}

void be_cli_decide_close(struct be_cli_decide *d) {
    for (int i = 0; i < d->clusters; i++) {
        be_cli_waits_free(&d->waits[i]);
    }
    be_cli_work_close(&d->work);
    be_catalogue_close(&d->catalogue);
}

enum be_status be_cli_decide_job(const struct be_cli_decide *d, const char *file,
                                 struct be_text *text, struct be_error *error) {
    const int first = d->table.decision.row[0].place;
    const struct be_cli_place *job = &d->places.job[first];
    struct be_job_plan plan;
    if (!job->cluster) {
        return be_fail(error, BE_USAGE,
                       "--emit-job: the first place is here, where no job is needed");
    }
    struct be_job_request request = job->request;
    if (!job->cluster->partitions && *d->places.place[first].partition) {
        request.partition = d->places.place[first].partition; /* that of the wait */
    }
    enum be_status status = be_job_plan(&request, job->cluster, &plan, error);
    if (!status) {
        be_job_write(&plan, file, text);
        status = text->failed ? be_fail(error, BE_NOMEM, "job: no host memory") : BE_OK;
    }
    return status;
}
