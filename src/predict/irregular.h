/*
 * Irregular work by the words that people use, and its numbers: items of hash tables, of sorts, of sums to places that the
 * data choose. Their times are a part of the rule (predict.h). Pure.
 */
#ifndef BE_PREDICT_IRREGULAR_H
#define BE_PREDICT_IRREGULAR_H

#include "breakeven_predict.h"

/* "hash"; "" of none. */
extern const char *const be_irregular_word[BE_IRREGULARS];

/* The numbers of irregular items, where `work` does not say them itself. */
void be_irregular_usual(struct be_predict_work *work);

#endif
