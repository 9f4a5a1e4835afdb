/* One line for each function of the list: its name, its kind, and its operations as a function of m, n and k. */
#ifndef BE_OBSERVE_CALLS_CALL_WORDS_H
#define BE_OBSERVE_CALLS_CALL_WORDS_H

#include "observe/calls/call_list.h"
#include "observe/calls/calls.h"

struct be_call_words {
    const char *name;
    enum be_call_kind kind;
    double (*flops)(double m, double n, double k);
};
extern const struct be_call_words be_call_words[BE_CALL_FUNCTIONS];

#endif
