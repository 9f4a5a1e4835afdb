/*
 * Code of the program's own, which no table knows: the time that a GPU would take for its loop, if the iterations of that do not
 * need one another. Whether they do, its author knows. Pure.
 */
#ifndef BE_ASK_OWN_CODE_H
#define BE_ASK_OWN_CODE_H

#include "ask/scale.h"
#include "code/loop.h"

/* The function with most of the time of such code. */
struct be_ask_own {
    char library[BE_NAME], function[BE_NAME]; /* library empty: there is no such code */
    char why[BE_NOTE]; /* why nothing is known of its loop; empty: `loop` is known */
    struct be_code_loop loop;
    double cpu_s, wall_s, later_s; /* of that function, as of be_ask_part */
};

/* A GPU and that function. */
struct be_ask_own_there {
    double lo_s, typical_s,
        hi_s; /* of all its iterations on the GPU; 90 % lie within. NAN not known */
};

void be_ask_own_on(const struct be_ask_own *own, const struct be_ask_scale *scale,
                   struct be_ask_own_there *there);

#endif
