/*
 * Any bytes as what sacct says of one job. An account that is accepted has numbers that a job can have, or says that
 * they are not known.
 */
#include <math.h>
#include <string.h>

#include "fuzz.h"
#include "accounting/account.h"

static const char *const words[] = {
    "JobID",
    "TotalCPU",
    "MaxRSS",
    "ElapsedRaw",
    "TRESUsageInTot",
    "gres/gpuutil=",
    "gres/gpumem=",
    "gres/gpu:a100=",
    "energy=",
    ".batch",
    ".extern",
    ".0",
    "_7",
    "+1",
    "Unknown",
    "PENDING",
    "RUNNING",
    "CANCELLED by 5",
    "1-00:00:00",
    "00:60.5",
    "9e30",
    "16Gn",
    "4000Mc",
    "123K",
    "T",
    "|",
    ",",
    "\n",
    "\r\n",
    "",
    "\xff",
    "\x1b[2J",
};

/* Not known, or a number of 0 or more. */
static bool possible(double value) {
    return isnan(value) || (isfinite(value) && value >= 0);
}

static const char *check(const struct be_text *text, long *accepted) {
    struct be_lines *lines = NULL;
    struct be_account account;
    struct be_error error = {0};
    if (be_lines_text(text->data, text->length, &lines, &error) != BE_OK) {
        return "no lines of a text";
    }
    enum be_status status = be_account_read(lines, "4711", &account, &error);
    be_lines_close(lines);
    if (status != BE_OK) {
        return *error.text ? NULL : "refused without a word";
    }
    ++*accepted;
    bool sound = possible(account.elapsed_s) && possible(account.cpu_s) &&
                 possible(account.system_s) && possible(account.memory_bytes) &&
                 possible(account.asked_bytes) && possible(account.gpus) &&
                 possible(account.gpu_busy) && possible(account.gpu_memory) &&
                 possible(be_account_cpu_efficiency(&account)) &&
                 possible(be_account_memory_efficiency(&account));
    return sound && account.steps >= 0 && account.cpus >= 0 && account.node_count >= 0
               ? NULL
               : "a number that no job has";
}

const struct be_fuzz be_fuzzed = {
    .name = "fuzz_account", .word = words, .words = sizeof words / sizeof *words, .check = check};
