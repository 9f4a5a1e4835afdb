/* The loop in which code of the program's own spends its time: from samples and from the file of that code. */
#ifndef BE_CLI_ASK_OWN_LOOP_H
#define BE_CLI_ASK_OWN_LOOP_H

#include "ask/own_code.h"
#include "sample/sample.h"

/* own->library stays empty where no such code has a tenth of `whole_s`, the time of the run. Nothing that fails here is an
 * error: own->why says it. */
void be_own_loop_find(const struct be_sampling *sampling, const struct be_samples_taken *taken,
                      double whole_s, struct be_ask_own *own);

#endif
