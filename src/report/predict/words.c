/* The words of predictions; those of causes are the classes of reports that people make. */
#include "report/predict/predict.h"

static const char *const verdict_words[BE_WORTH_VERDICTS] = {
    [BE_WORTH_UNKNOWN] = "not known",
    [BE_WORTH_GPU] = "GPU",
    [BE_WORTH_CPU] = "CPU",
    [BE_WORTH_CLOSE] = "too close",
};
const struct be_names be_names_predict_verdict = {verdict_words, BE_WORTH_VERDICTS};

const char *be_predict_verdict_word(enum be_predict_verdict verdict) {
    return verdict_words[verdict];
}

static const char *const cause_words[BE_CAUSES] = {
    [BE_CAUSE_LAUNCH] = "launch",
    [BE_CAUSE_LOOPED_BATCH] = "looped-batch",
    [BE_CAUSE_SEQUENTIAL] = "sequential",
    [BE_CAUSE_COPY] = "copy",
    [BE_CAUSE_FIRST_CALL] = "first-call",
    [BE_CAUSE_FLOAT64] = "float64",
    [BE_CAUSE_BANDWIDTH] = "bandwidth",
    [BE_CAUSE_BATCH_OF_ONE] = "batch-of-one",
    [BE_CAUSE_DOES_NOT_FIT] = "does-not-fit",
    [BE_CAUSE_OPERATIONS] = "operations",
    [BE_CAUSE_STEPS] = "steps",
};
const struct be_names be_names_predict_cause = {cause_words, BE_CAUSES};

const char *be_predict_cause_word(enum be_predict_cause cause) {
    return cause_words[cause];
}

static const char *const term_words[BE_TERMS] = {
    [BE_TERM_FIRST] = "first",   [BE_TERM_LAUNCH] = "launch", [BE_TERM_OPERATIONS] = "operations",
    [BE_TERM_MEMORY] = "memory", [BE_TERM_CHAIN] = "chain",   [BE_TERM_BUS] = "bus",
};
const struct be_names be_names_predict_term = {term_words, BE_TERMS};

const char *be_predict_term_word(enum be_predict_term term) {
    return term_words[term];
}

static const char *const change_words[BE_CHANGES] = {
    [BE_CHANGE_STAY] = "stay",       [BE_CHANGE_BATCH] = "batch", [BE_CHANGE_FUSE] = "fuse",
    [BE_CHANGE_FLOAT32] = "float32", [BE_CHANGE_CALLS] = "calls",
};
const struct be_names be_names_predict_change = {change_words, BE_CHANGES};

const char *be_predict_change_word(enum be_predict_change change) {
    return change_words[change];
}

static const char *const origin_words[BE_PREDICT_ORIGINS] = {
    [BE_PREDICTED_BY_RULE] = "rule",    [BE_PREDICTED_SCALED] = "scaled",
    [BE_PREDICTED_BETWEEN] = "between", [BE_PREDICTED_MEASURED] = "measured",
    [BE_PREDICTED_BEYOND] = "beyond",   [BE_PREDICTED_UNKNOWN] = "not known",
};
const struct be_names be_names_predict_origin = {origin_words, BE_PREDICT_ORIGINS};

const char *be_predict_origin_word(enum be_predict_origin origin) {
    return origin_words[origin];
}
