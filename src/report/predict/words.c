/* The words of predictions; those of causes are the classes of reports that people make. */
#include "report/predict/predict.h"

const char *be_predict_verdict_word(enum be_predict_verdict verdict) {
    static const char *const word[BE_WORTH_VERDICTS] = {
        [BE_WORTH_UNKNOWN] = "not known",
        [BE_WORTH_GPU] = "GPU",
        [BE_WORTH_CPU] = "CPU",
        [BE_WORTH_CLOSE] = "too close",
    };
    return word[verdict];
}

const char *be_predict_cause_word(enum be_predict_cause cause) {
    static const char *const word[BE_CAUSES] = {
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
    return word[cause];
}

const char *be_predict_term_word(enum be_predict_term term) {
    static const char *const word[BE_TERMS] = {
        [BE_TERM_FIRST] = "first",           [BE_TERM_LAUNCH] = "launch",
        [BE_TERM_OPERATIONS] = "operations", [BE_TERM_MEMORY] = "memory",
        [BE_TERM_CHAIN] = "chain",           [BE_TERM_BUS] = "bus",
    };
    return word[term];
}

const char *be_predict_change_word(enum be_predict_change change) {
    static const char *const word[BE_CHANGES] = {
        [BE_CHANGE_STAY] = "stay",       [BE_CHANGE_BATCH] = "batch", [BE_CHANGE_FUSE] = "fuse",
        [BE_CHANGE_FLOAT32] = "float32", [BE_CHANGE_CALLS] = "calls",
    };
    return word[change];
}

const char *be_predict_origin_word(enum be_predict_origin origin) {
    static const char *const word[BE_PREDICT_ORIGINS] = {
        [BE_PREDICTED_BY_RULE] = "rule",    [BE_PREDICTED_SCALED] = "scaled",
        [BE_PREDICTED_BETWEEN] = "between", [BE_PREDICTED_MEASURED] = "measured",
        [BE_PREDICTED_BEYOND] = "beyond",   [BE_PREDICTED_UNKNOWN] = "not known",
    };
    return word[origin];
}
