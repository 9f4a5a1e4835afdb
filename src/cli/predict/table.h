/* From what is asked to a table of predictions: sizes, profiles, a prediction for each. */
#ifndef BE_CLI_PREDICT_TABLE_H
#define BE_CLI_PREDICT_TABLE_H

#include "cli/predict/formulas.h"
#include "cli/predict/places.h"

struct be_cli_prediction_asked {
    struct be_cli_formulas *formulas; /* open */
    const struct be_choice *size;
    const char *const *machine;
    int machines;      /* 0: the GPU here, or without one the usual ones */
    const char *cpu;   /* NULL: here */
    double measured_s; /* NAN: none */
    bool quiet;
};

struct be_cli_prediction {
    struct be_predict_table table;
    struct be_cli_here here;
    struct be_profile cpu;
};

/* Zero-initialise; free accepts what make left. */
enum be_status be_cli_prediction_make(const struct be_cli_prediction_asked *asked,
                                      struct be_cli_prediction *prediction, struct be_error *error);
void be_cli_prediction_free(struct be_cli_prediction *prediction);

#endif
