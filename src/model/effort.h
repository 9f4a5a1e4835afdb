/*
 * How the time of one code grows with what it has to do. Pure; knows nothing of machines.
 */
#ifndef BE_MODEL_EFFORT_H
#define BE_MODEL_EFFORT_H

struct be_effort {
    double bytes, operations;
};

/* How many times as long `to` may take as `from`: by the bytes or the operations, whichever grow more. From no
 * operations to some is no growth that tells anything: then, as where there are none at all, the bytes count. */
double be_effort_growth(struct be_effort from, struct be_effort to);

#endif
