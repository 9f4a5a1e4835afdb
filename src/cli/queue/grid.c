#include "cli/queue/grid.h"

#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

static const struct {
    const char *name;
    size_t offset;
} wish[BE_WISHES] = {
    [BE_WISH_CPUS] = {"--cpus", offsetof(struct be_job_wish, cpus)},
    [BE_WISH_GPUS] = {"--gpus", offsetof(struct be_job_wish, gpus)},
    [BE_WISH_MEMORY] = {"--mem", offsetof(struct be_job_wish, memory_bytes)},
    [BE_WISH_LIMIT] = {"--time", offsetof(struct be_job_wish, limit_s)},
};

static double *field(struct be_job_wish *job, enum be_cli_wish what) {
    return (double *)(void *)((char *)job + wish[what].offset);
}

enum be_status be_cli_grid_set(struct be_cli_grid *grid, enum be_cli_wish what, const char *text,
                               struct be_error *error) {
    grid->values[what] = 0;
    for (const char *at = text; at; at = strchr(at, ',')) {
        char one[BE_NAME];
        struct be_job_wish job = {0};
        at += *at == ',' && at > text;
        const size_t length = strcspn(at, ",");
        be_copy_text(one, length < sizeof one ? length + 1 : sizeof one, at);
        enum be_status status = be_cli_queue_wish(what, one, &job, error);
        if (status != BE_OK) {
            return status;
        }
        if (grid->values[what] == BE_GRID_VALUES) {
            return be_fail(error, BE_USAGE, "%s %s: at most %d values", wish[what].name, text,
                           (int)BE_GRID_VALUES);
        }
        grid->value[what][grid->values[what]++] = *field(&job, what);
    }
    return BE_OK;
}

enum be_status be_cli_grid_jobs(const struct be_cli_grid *grid, const struct be_job_wish *like,
                                struct be_job_wish job[BE_GRID_JOBS], int *jobs,
                                struct be_error *error) {
    *jobs = 1;
    job[0] = *like;
    for (enum be_cli_wish what = 0; what < BE_WISHES; what++) {
        const int values = grid->values[what] ? grid->values[what] : 1, before = *jobs;
        if (before * values > BE_GRID_JOBS) {
            return be_fail(error, BE_USAGE,
                           "--cpus, --gpus, --mem and --time: more than %d jobs together: give "
                           "fewer values",
                           (int)BE_GRID_JOBS);
        }
        *jobs = before * values;
        for (int i = *jobs - 1; i >= 0; i--) { /* from behind: each is a copy of one before it */
            job[i] = job[i / values];
            if (grid->values[what]) {
                *field(&job[i], what) = grid->value[what][i % values];
            }
        }
    }
    return BE_OK;
}
