/* Without ncurses. */
#include "base/error.h"
#include "live/screen.h"

enum be_status be_screen_open(FILE *out, FILE *in, struct be_screen **screen,
                              struct be_error *error) {
    (void)out;
    (void)in;
    *screen = NULL;
    return be_fail(error, BE_ABSENT,
                   "this build has no ncurses, so there is no view of a whole "
                   "screen; --plain and --serve work");
}

void be_screen_size(struct be_screen *screen, int *width, int *height) {
    (void)screen;
    *width = *height = 0;
}

bool be_screen_unicode(const struct be_screen *screen) {
    (void)screen;
    return false;
}

void be_screen_show(struct be_screen *screen, const struct be_live_frame *frame) {
    (void)screen;
    (void)frame;
}

int be_screen_key(struct be_screen *screen) {
    (void)screen;
    return -1;
}

void be_screen_close(struct be_screen *screen) {
    (void)screen;
}
