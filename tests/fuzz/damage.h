/*
 * A text changed at random: every change follows from the dice, so that it can be repeated.
 */
#ifndef BE_FUZZ_DAMAGE_H
#define BE_FUZZ_DAMAGE_H

#include <stdint.h>

#include "fuzz.h"

struct be_dice {
    uint64_t seed, thrown;
};

/* 0 .. below - 1; 0 of none */
size_t be_throw(struct be_dice *dice, size_t below);
/* Makes its memory end where it does, so that a reader that goes on behind it is caught. */
void be_fit(struct be_text *text);
/* One change: bits, pieces, lines, numbers, or one of the words. May leave it empty. */
void be_damage(struct be_text *text, struct be_dice *dice, const struct be_fuzz *fuzz);

#endif
