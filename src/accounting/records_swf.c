/*
 * A line of the Standard Workload Format -> a job: 18 numbers with blanks between, -1 for unknown,
 * and a head of comments (Chapin et al. 1999; the Parallel Workloads Archive has its definition).
 */
#include <math.h>
#include <stdlib.h>

#include "accounting/records.h"
#include "base/error.h"

enum { NUMBERS = 18, GROUPS = 128 };

/* Which number is which. */
enum {
    NUMBER,
    SUBMIT,
    WAIT,
    RUN,
    PROCESSORS,
    CPU_TIME,
    MEMORY,
    ASKED_PROCESSORS,
    ASKED_TIME,
    ASKED_MEMORY,
    STATUS,
    USER,
    GROUP,
    PROGRAM,
    QUEUE,
    PARTITION
};

struct be_swf {
    int64_t begin_s; /* UnixStartTime */
    int64_t zone_s;  /* TimeZone: what the clocks there were ahead of UTC */
    bool utc;        /* times come out as moments, not as the clocks there showed them */
    char queue[GROUPS][BE_NAME], partition[GROUPS][BE_NAME]; /* names; empty: none said */
    char text[4][BE_NAME]; /* of the last line: partition, user, number, group */
};

enum be_status be_swf_open(bool utc, struct be_swf **swf, struct be_error *error) {
    *swf = calloc(1, sizeof **swf);
    if (!*swf) {
        return be_fail(error, BE_NOMEM, "no host memory");
    }
    (*swf)->utc = utc;
    return BE_OK;
}

void be_swf_close(struct be_swf *swf) {
    free(swf);
}

/* The numbers of a line, at most `most`; -1 where a word is none. */
static int numbers(struct be_slice line, double *value, int max) {
    int count = 0;
    for (uint32_t at = 0; at < line.length;) {
        if (line.text[at] == ' ' || line.text[at] == '\t') {
            at++;
            continue;
        }
        bool minus = line.text[at] == '-';
        at += minus;
        double number = 0, scale = 0;
        uint32_t begin = at;
        for (; at < line.length && line.text[at] != ' ' && line.text[at] != '\t'; at++) {
            char c = line.text[at];
            if (c == '.' && scale == 0) {
                scale = 1;
            } else if (c < '0' || c > '9' || at - begin > 24) {
                return -1;
            } else if (scale > 0) {
                number += (scale /= 10) * (c - '0');
            } else {
                number = number * 10 + (c - '0');
            }
        }
        if (at == begin || count == max) {
            return -1;
        }
        value[count++] = minus ? -number : number;
    }
    return count;
}

bool be_swf_is(struct be_slice line) {
    double value[NUMBERS];
    return (line.length && line.text[0] == ';') || numbers(line, value, NUMBERS) == NUMBERS;
}

static bool begins(struct be_slice *line, const char *word) {
    size_t length = strlen(word);
    if (line->length < length || memcmp(line->text, word, length) != 0) {
        return false;
    }
    line->text += length;
    line->length -= (uint32_t)length;
    return true;
}

static void skip_blanks(struct be_slice *line) {
    while (line->length && (line->text[0] == ' ' || line->text[0] == ';')) {
        line->text++;
        line->length--;
    }
}

/* "3  batch" -> name[3] = "batch" */
static void keep_name(struct be_slice line, char (*name)[BE_NAME]) {
    unsigned index = 0;
    skip_blanks(&line);
    while (line.length && line.text[0] >= '0' && line.text[0] <= '9' && index < GROUPS) {
        index = index * 10 + (unsigned)(line.text[0] - '0');
        line.text++;
        line.length--;
    }
    skip_blanks(&line);
    uint32_t length = 0;
    while (length < line.length && line.text[length] > ' ') {
        length++;
    }
    if (index < GROUPS && length) {
        size_t capacity = length + 1 < BE_NAME ? length + 1 : BE_NAME;
        memcpy(name[index], line.text, capacity - 1);
        name[index][capacity - 1] = '\0';
    }
}

/* A number of the head that makes sense: at most so large. */
static void keep_number(struct be_slice line, double max, int64_t *to) {
    double value;
    if (numbers(line, &value, 1) == 1 && value >= -max && value <= max) {
        *to = (int64_t)value;
    }
}

void be_swf_comment(struct be_swf *swf, struct be_slice line) {
    const double latest_s = 1e11, zone_max_s = 86400;
    skip_blanks(&line);
    if (begins(&line, "UnixStartTime:")) {
        keep_number(line, latest_s, &swf->begin_s);
    } else if (begins(&line, "TimeZone:")) {
        keep_number(line, zone_max_s, &swf->zone_s);
    } else if (begins(&line, "Queue:")) {
        keep_name(line, swf->queue);
    } else if (begins(&line, "Partition:")) {
        keep_name(line, swf->partition);
    }
}

static struct be_slice label(char *to, const char *word, double number) {
    int length = snprintf(to, BE_NAME, "%s%.0f", word, number);
    return (struct be_slice){to, (uint32_t)(length > 0 ? length : 0)};
}

/* Queue or partition, whichever the log has, by name where the head says one. */
static struct be_slice place(struct be_swf *swf, const double *value) {
    bool queued = value[QUEUE] >= 0;
    double index = queued ? value[QUEUE] : value[PARTITION];
    char(*name)[BE_NAME] = queued ? swf->queue : swf->partition;
    if (index < 0) {
        return (struct be_slice){"all", 3};
    }
    if (index < GROUPS && name[(int)index][0]) {
        const char *text = name[(int)index];
        return (struct be_slice){text, (uint32_t)strlen(text)};
    }
    return label(swf->text[0], queued ? "queue-" : "partition-", index);
}

static double known(double first, double second) {
    return first > 0 ? first : second > 0 ? second : NAN;
}

const char *be_swf_line(struct be_swf *swf, struct be_slice line, struct be_record *record) {
    static const enum be_job_state state[] = {BE_JOB_FAILED,  BE_JOB_COMPLETED, BE_JOB_UNKNOWN,
                                              BE_JOB_UNKNOWN, BE_JOB_UNKNOWN,   BE_JOB_CANCELLED};
    double value[NUMBERS];
    const double max = 1e12;
    if (numbers(line, value, NUMBERS) != NUMBERS) {
        return "has not 18 numbers";
    }
    if (value[SUBMIT] < 0 || value[SUBMIT] > max || value[WAIT] > max || value[RUN] > max) {
        return "has no submit time, or one that makes no sense";
    }
    const size_t states = BE_COUNT(state);
    int status = value[STATUS] >= 0 && value[STATUS] < (double)states ? (int)value[STATUS] : 2;
    *record = (struct be_record){
        .id = label(swf->text[2], "", value[NUMBER]),
        .partition = place(swf, value),
        .user = label(swf->text[1], "user-", value[USER]),
        .account = label(swf->text[3], "group-", value[GROUP]),
        .qos = {"", 0},
        .gpu_type = {"", 0},
        .tasks = 1,
        .submit_s = swf->begin_s + (swf->utc ? 0 : swf->zone_s) + (int64_t)value[SUBMIT],
        .start_s = BE_NO_TIME,
        .end_s = BE_NO_TIME,
        .elapsed_s = value[RUN] >= 0 ? value[RUN] : NAN,
        .limit_s = value[ASKED_TIME] > 0 ? value[ASKED_TIME] : NAN,
        .cpus = known(value[PROCESSORS], value[ASKED_PROCESSORS]),
        .nodes = NAN,
        .state = state[status],
    };
    record->eligible_s = record->submit_s; /* the format has no word for it: it is not told */
    record->memory_bytes = known(value[ASKED_MEMORY], value[MEMORY]) * 1024 * record->cpus;
    /* Cancelled with no run time: it left the queue, it did not start. */
    record->started = value[WAIT] >= 0 && !(status == 5 && !(value[RUN] > 0));
    if (value[WAIT] >= 0) {
        record->start_s = record->submit_s + (int64_t)value[WAIT];
        record->end_s = value[RUN] >= 0 ? record->start_s + (int64_t)value[RUN] : BE_NO_TIME;
    }
    return NULL;
}
