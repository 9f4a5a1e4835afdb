/* A profile that learns from a run, and is kept. */
#ifndef BE_CLI_PREDICT_LEARN_H
#define BE_CLI_PREDICT_LEARN_H

#include "breakeven_predict.h"
#include "question/profiles.h"

struct be_cli_learning {
    struct be_here here;
    struct be_profile named;
    struct be_profile *profile; /* one of them, corrected */
    struct be_learned learned;
};

/* Corrects the profile `machine` by the results in the file, and writes it to `save`: a file, or a name among the user's
 * own profiles; NULL: nowhere. Zero-initialise; free accepts what make left. */
enum be_status be_cli_learn(const char *results, const char *machine, const char *save, bool quiet,
                            struct be_cli_learning *learning, struct be_error *error);
void be_cli_learn_free(struct be_cli_learning *learning);

#endif
