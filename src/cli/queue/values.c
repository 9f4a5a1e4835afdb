#include "cli/queue/values.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "accounting/record.h"
#include "base/error.h"
#include "cli/common/values.h"
#include "script/sbatch_values.h"

enum be_status be_cli_queue_bins(const char *text, struct be_wait_options *o,
                                 struct be_error *error) {
    char *end = NULL;
    o->first = strtod(text, &end);
    o->factor = *end == ',' ? strtod(end + 1, &end) : NAN;
    double count = *end == ',' ? strtod(end + 1, &end) : 4;
    bool fine = o->first > 0 && o->factor > 1 && isfinite(o->first * pow(o->factor, count)) &&
                count >= 1 && count <= BE_WAIT_BINS_MAX && floor(count) >= count && *end == '\0';
    o->bins = fine ? (int)count : 0;
    return fine ? BE_OK
                : be_fail(
                      error, BE_USAGE,
                      "--bins %s: the first edge above 0, a factor above 1, and at most %d bins, "
                      "as in 4,4 or 1,10,5",
                      text, (int)BE_WAIT_BINS_MAX);
}

enum be_status be_cli_queue_quantile(const char *text, double *q, struct be_error *error) {
    char *end = NULL;
    *q = strtod(text, &end);
    return end != text && *end == '\0' && *q > 0 && *q < 1
               ? BE_OK
               : be_fail(error, BE_USAGE, "--quantile %s: a number between 0 and 1, as 0.9", text);
}

enum be_status be_cli_queue_evaluate(const char *text, double *share, struct be_error *error) {
    char *end = NULL;
    *share = text ? strtod(text, &end) : 0.3;
    return !text || (end != text && *end == '\0' && *share > 0 && *share <= 0.9)
               ? BE_OK
               : be_fail(error, BE_USAGE, "--evaluate=%s: a share up to 0.9, as 0.3", text);
}

enum be_status be_cli_queue_page(const char *text, double *seconds, struct be_error *error) {
    char *end = NULL;
    const double days = strtod(text, &end);
    *seconds = days * 86400;
    return end != text && *end == '\0' && days > 0 && isfinite(*seconds)
               ? BE_OK
               : be_fail(error, BE_USAGE, "--page %s: days above 0 are needed, as 7 or 0.5", text);
}

static enum be_status set_memory(const char *text, struct be_job_wish *wish,
                                 struct be_error *error) {
    const struct be_slice slice = {text, (uint32_t)strlen(text)};
    char per = 0;
    bool fine = be_sbatch_memory(text, &wish->memory_bytes) || /* or with decimals */
                (be_parse_memory(slice, &wish->memory_bytes, &per) && !per);
    return fine && wish->memory_bytes > 0
               ? BE_OK
               : be_fail(error, BE_USAGE, "--mem %s: a size is needed, as 32G", text);
}

static enum be_status set_limit(const char *text, struct be_job_wish *wish,
                                struct be_error *error) {
    return be_sbatch_duration(text, &wish->limit_s) && isfinite(wish->limit_s)
               ? BE_OK
               : be_fail(error, BE_USAGE,
                         "--time %s: a time limit is needed, as 2:00:00 or 1-00:00:00 (30 is "
                         "minutes)",
                         text);
}

static enum be_status set_cpus(const char *text, struct be_job_wish *wish, struct be_error *error) {
    uint64_t count = 0;
    enum be_status status = be_cli_whole("cpus", text, 1, &count, error);
    wish->cpus = (double)count;
    return status;
}

static enum be_status set_gpus(const char *text, struct be_job_wish *wish, struct be_error *error) {
    uint64_t count = 0;
    enum be_status status = be_cli_whole("gpus", text, 0, &count, error);
    wish->gpus = (double)count;
    return status;
}

enum be_status be_cli_queue_wish(enum be_cli_wish what, const char *text, struct be_job_wish *wish,
                                 struct be_error *error) {
    static enum be_status (*const set[])(const char *, struct be_job_wish *,
                                         struct be_error *) = {[BE_WISH_CPUS] = set_cpus,
                                                               [BE_WISH_GPUS] = set_gpus,
                                                               [BE_WISH_MEMORY] = set_memory,
                                                               [BE_WISH_LIMIT] = set_limit};
    return set[what](text, wish, error);
}
