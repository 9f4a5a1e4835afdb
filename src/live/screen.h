/*
 * A terminal that shows frames. It is as it was before once it is closed, however the program ends. It does not
 * know what the frames say. There is one at a time, since the terminal is the process's.
 */
#ifndef BE_LIVE_SCREEN_H
#define BE_LIVE_SCREEN_H

#include <stdio.h>

#include "report/live/live.h"

struct be_screen;

/* BE_ABSENT: this build has no ncurses, or the terminal cannot place its cursor ("dumb"). */
enum be_status be_screen_open(FILE *out, FILE *in, struct be_screen **screen,
                              struct be_error *error);
void be_screen_size(struct be_screen *screen, int *width, int *height);
bool be_screen_unicode(const struct be_screen *screen);
void be_screen_show(struct be_screen *screen, const struct be_live_frame *frame);
/* A character, or an enum be_live_key; 0: another key; -1: no more keys for now. */
int be_screen_key(struct be_screen *screen);
/* Accepts NULL. */
void be_screen_close(struct be_screen *screen);

#endif
