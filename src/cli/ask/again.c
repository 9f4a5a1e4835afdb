#include "cli/ask/again.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "report/ask/ask.h"
#include "report/saved.h"

static enum be_status write_to(const char *path, const struct be_ask_answer *answer,
                               enum be_format format, struct be_error *error) {
    FILE *out = path ? fopen(path, "we") : stdout;
    if (!out) {
        return be_fail(error, BE_IO, "%s: cannot be written: %s", path, strerror(errno));
    }
    enum be_status status = be_ask_write(answer, format, out, error);
    if (path && fclose(out) != 0 && !status) {
        status = be_fail(error, BE_IO, "%s: cannot be written: %s", path, strerror(errno));
    }
    return status;
}

enum be_status be_ask_again(const char *file, const struct be_ask_scale *scale, int scales,
                            const struct be_gpu_library *with, enum be_format format,
                            const char *path, struct be_error *error) {
    const struct be_ask_seen seen = {.peak_bytes = NAN, .with = with};
    struct be_ask_answer *answer = calloc(1, sizeof *answer);
    if (!answer) {
        return be_fail(error, BE_NOMEM, "no host memory for an answer");
    }
    enum be_status status = be_ask_load(file, &answer->ask, error);
    for (int i = 0; !status && i < scales && i < BE_LIST_MAX; i++) {
        be_ask_judge(&answer->ask, &scale[i], &seen, &answer->machine[answer->machines++]);
    }
    status = status ? status : write_to(path, answer, format, error);
    be_ask_free(&answer->ask);
    free(answer);
    return status;
}
