/*
 * A terminal that is put right when the program crashes. The terminal is the process's, and a handler of
 * signals has no arguments: so this is the one place beside cli/ that keeps something in a variable of
 * its own.
 */
#ifndef BE_LIVE_RESCUE_H
#define BE_LIVE_RESCUE_H

#include <stdbool.h>

/* Keeps the terminal's modes: before ncurses changes them. */
void be_rescue_keep(int out, int in);
/* Is the terminal known, and can it place its cursor and clear itself? To be asked before ncurses
 * begins, which keeps memory for ever where it is not. */
bool be_rescue_can_draw(int out);
/* From here on a crash restores it; after ncurses has begun. */
void be_rescue_arm(void);
void be_rescue_disarm(void);

#endif
