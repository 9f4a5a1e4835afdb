/* From what is asked to a table of predictions: sizes, profiles, a prediction for each. */
#ifndef BE_QUESTION_TABLE_H
#define BE_QUESTION_TABLE_H

#include "question/formulas.h"
#include "question/profiles.h"

struct be_table_asked {
    struct be_formulas *formulas; /* open */
    const struct be_choice *size;
    const char *const *machine;
    int machines;                       /* 0: the GPU here, or without one the usual ones */
    const char *cpu;                    /* NULL: here */
    double measured_s;                  /* NAN: none */
    const struct be_probe_options *how; /* a profile of this machine is measured; NULL: quietly */
};

struct be_table {
    struct be_predict_table table;
    struct be_here here;
    struct be_profile cpu;
};

/* Zero-initialise; free accepts what make left. */
enum be_status be_table_make(const struct be_table_asked *asked, struct be_table *prediction,
                             struct be_error *error);
void be_table_free(struct be_table *prediction);

/* The GPU that is asked about where none is named and none is here. */
const char *be_table_usual(void);

#endif
