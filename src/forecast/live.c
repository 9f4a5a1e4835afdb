#include "forecast/live.h"

#include <math.h>

#include "base/error.h"
#include "accounting/record.h"
#include "base/command.h"
#include "accounting/records.h"

/* A job's GPUs and memory stand whole in tres-alloc only, which has what waits asks for, too: %b leaves
 * out --gpus, and %m does not say whether it is of a node or of a CPU. */
enum be_status be_live_queue(struct be_history *history, const struct be_job_match *match,
                             struct be_error *error) {
    static const char *const word[] = {
        "squeue",
        "-a",
        "-h",
        "-t",
        "PENDING,RUNNING,SUSPENDED",
        "-O",
        "JobArrayID:|,Partition:|,UserName:|,Account:|,QOS:|,SubmitTime:|,StartTime:|,State:|,"
        "NumNodes:|,NumCPUs:|,tres-alloc:|,TimeLimit:|,EligibleTime:|,Reason:|",
        NULL};
    const struct be_records_options options = {
        .fields = "JobID,Partition,User,Account,QOS,Submit,Start,State,NNodes,NCPUS,AllocTRES,"
                  "Timelimit,Eligible,Reason"};
    struct be_command command = {0};
    struct be_lines *lines = NULL;
    struct be_records *records = NULL;
    enum be_status status = be_command_start(word, &command, &lines, error);
    if (status != BE_OK) {
        return status;
    }
    status = be_records_open(lines, "squeue", &options, &history->counts, &records, error);
    for (bool more = true; status == BE_OK && more;) {
        struct be_record record;
        status = be_records_next(records, &record, &more, error);
        if (status == BE_OK && more) {
            status = be_history_add(history, &record, match, error);
        }
    }
    be_records_close(records);
    struct be_error said = {0};
    bool failed = be_command_wait(&command, &said) != BE_OK;
    if (failed && (status == BE_OK || command.complained)) {
        status = be_fail(error, said.status, "%s", said.text);
    }
    be_history_sort(history);
    return status;
}

static enum be_status add_name(void *context, struct be_slice line, struct be_error *error) {
    struct be_idents *names = context;
    return !line.length || be_idents_add(names, line) >= 0
               ? BE_OK
               : be_fail(error, BE_NOMEM, "partitions: no host memory");
}

enum be_status be_live_partitions(struct be_idents *names, struct be_error *error) {
    static const char *const word[] = {"sinfo", "-a", "-h", "-o", "%R", NULL};
    return be_command_each(word, add_name, names, error);
}

/* "sbatch: Job 123 to start at 1790000000 using 8 processors on nodes n1 in partition gpu" */
static double start_in(const char *said, int64_t now_s) {
    static const char words[] = "to start at ";
    const char *found = strstr(said, words);
    int64_t at_s = BE_NO_TIME;
    bool zoned = false;
    if (!found) {
        return NAN;
    }
    found += sizeof words - 1;
    struct be_slice text = {found, (uint32_t)strcspn(found, " \n")};
    if (!be_parse_time(text, &at_s, &zoned) || at_s == BE_NO_TIME || !zoned) {
        return NAN;
    }
    return at_s > now_s ? (double)(at_s - now_s) : 0;
}

double be_live_estimate(const char *partition, const struct be_job_wish *wish, int64_t now_s,
                        char note[BE_NOTE]) {
    enum { OPTION = 96, WORDS = 12 };
    char cpus[OPTION], time[OPTION], memory[OPTION], gpus[OPTION], account[OPTION], said[1024];
    const char *word[WORDS] = {"sbatch", "--test-only", "--wrap", "true", "-p", partition};
    int words = 6;
    struct be_error error = {0};
    snprintf(cpus, sizeof cpus, "--cpus-per-task=%.0f", wish->cpus);
    snprintf(time, sizeof time, "--time=%.0f", ceil(wish->limit_s / 60));
    snprintf(memory, sizeof memory, "--mem=%.0fM", ceil(wish->memory_bytes / 0x1p20));
    snprintf(gpus, sizeof gpus, "--gpus=%.0f", wish->gpus);
    snprintf(account, sizeof account, "--account=%s", wish->account ? wish->account : "");
    word[words++] = cpus;
    word[words++] = time;
    if (wish->account && strlen(wish->account) < OPTION - sizeof "--account=") {
        word[words++] = account;
    }
    if (wish->memory_bytes > 0) {
        word[words++] = memory;
    }
    if (wish->gpus > 0) {
        word[words++] = gpus;
    }
    enum be_status status = be_command_text(word, said, sizeof said, &error);
    double wait_s = status == BE_OK ? start_in(said, now_s) : NAN;
    if (isfinite(wait_s)) {
        note[0] = '\0';
    } else {
        said[strcspn(said, "\n")] = '\0';
        be_copy_text(note, BE_NOTE, *said ? said : error.text);
    }
    return wait_s;
}
