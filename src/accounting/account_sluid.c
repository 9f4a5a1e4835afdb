/* Slurm's unique id of a job, from accounting. */
#include <string.h>

#include "accounting/account.h"
#include "base/command.h"
#include "base/error.h"

struct found {
    char *sluid;
    size_t capacity;
};

/* A job that was requeued has a line each time: the last is the one that runs. */
static enum be_status take_line(void *context, struct be_slice line, struct be_error *error) {
    const struct found *found = context;
    (void)error;
    if (line.length > 0 && line.length < found->capacity) {
        be_copy_text(found->sluid, line.length + 1, line.text);
    }
    return BE_OK;
}

enum be_status be_account_sluid(const char *id, char *sluid, size_t capacity,
                                struct be_error *error) {
    const char *const word[] = {"sacct", "-X", "-n", "-P", "-j", id, "-o", "SLUID", NULL};
    struct found found = {sluid, capacity};
    sluid[0] = '\0';
    enum be_status status = be_command_each(word, take_line, &found, error);
    if (status == BE_OK && !sluid[0]) {
        status = be_fail(error, BE_ABSENT, "job %.60s: accounting knows no SLUID of it", id);
    }
    return status;
}
