/*
 * Why a job waits, in Slurm's words (job_state_reason_string in its source, and "Job Reason Codes" of its
 * documentation): what waits for its turn, and what could not run on an empty machine either.
 */
#include "accounting/record.h"
#include "base/error.h"

/* The first that fits: a word, or the beginning of one where it ends in '*'. */
static const struct {
    const char *word;
    enum be_hold hold;
} reasons[] = {
    {"None", BE_HOLD_NONE},
    {"Priority", BE_HOLD_NONE},
    {"Resources", BE_HOLD_NONE},
    {"JobHeld*", BE_HOLD_HELD},
    {"JobHoldMaxRequeue", BE_HOLD_HELD},
    {"launch failed requeued held", BE_HOLD_HELD},
    {"launch_failed_requeued_held", BE_HOLD_HELD},
    {"job requeued in held state", BE_HOLD_HELD},
    {"job_requeued_in_held_state", BE_HOLD_HELD},
    {"BadConstraints", BE_HOLD_HELD},
    {"InvalidAccount", BE_HOLD_HELD},
    {"InvalidQOS", BE_HOLD_HELD},
    {"AccountNotAllowed", BE_HOLD_HELD},
    {"QOSNotAllowed", BE_HOLD_HELD},
    {"PartitionDown", BE_HOLD_HELD},
    {"PartitionInactive", BE_HOLD_HELD},
    {"PartitionNodeLimit", BE_HOLD_HELD},
    {"PartitionTimeLimit", BE_HOLD_HELD},
    {"ReservationDeleted", BE_HOLD_HELD},
    {"BeginTime", BE_HOLD_BEGIN},
    {"Reservation", BE_HOLD_BEGIN},
    {"DeadLine", BE_HOLD_BEGIN},
    {"Dependency*", BE_HOLD_DEPENDENCY},
    {"JobArrayTaskLimit", BE_HOLD_LIMIT},
    {"Assoc*", BE_HOLD_LIMIT},
    {"QOS*", BE_HOLD_LIMIT},
    {"Max*", BE_HOLD_LIMIT},
    {"AccountingPolicy", BE_HOLD_LIMIT},
};

static bool fits(struct be_slice text, const char *word) {
    size_t length = strlen(word);
    if (length && word[length - 1] == '*') {
        return text.length >= length - 1 && memcmp(text.text, word, length - 1) == 0;
    }
    return be_slice_is(text, word);
}

enum be_hold be_parse_reason(struct be_slice text) {
    if (text.length >= 2 && text.text[0] == '(') { /* as squeue's ReasonList has it */
        text = (struct be_slice){text.text + 1, text.length - 2};
    }
    for (size_t i = 0; i < BE_COUNT(reasons); i++) {
        if (fits(text, reasons[i].word)) {
            return reasons[i].hold;
        }
    }
    return BE_HOLD_NONE;
}

int64_t be_record_ready_s(const struct be_record *record) {
    const int64_t at_s = record->eligible_s;
    const bool sensible = record->eligible_told && at_s != BE_NO_TIME && at_s >= record->submit_s &&
                          (!record->started || at_s <= record->start_s);
    return sensible ? at_s : record->submit_s;
}
