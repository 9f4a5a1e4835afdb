/* The terminal by ncurses. */
#include "live/screen.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>

#include <ncurses.h>

#include "base/error.h"
#include "live/rescue.h"

struct be_screen {
    SCREEN *screen;
    bool unicode;
    attr_t look[BE_STYLES];
    short pair[BE_STYLES];
};

/* ---- colours -------------------------------------------------------------------------------- */

/* Without colour, or with NO_COLOR set (no-color.org), what has to stand out is bold or reversed. */
static void choose_looks(struct be_screen *screen) {
    static const struct {
        attr_t plain, coloured;
        short colour;
    } style[BE_STYLES] = {
        [BE_STYLE_HEAD] = {A_BOLD, A_BOLD, -1},
        [BE_STYLE_DIM] = {A_NORMAL, A_DIM, -1},
        [BE_STYLE_CPU] = {A_NORMAL, A_NORMAL, COLOR_CYAN},
        [BE_STYLE_GPU] = {A_NORMAL, A_NORMAL, COLOR_GREEN},
        [BE_STYLE_GOOD] = {A_NORMAL, A_NORMAL, COLOR_GREEN},
        [BE_STYLE_WARN] = {A_BOLD, A_BOLD, COLOR_YELLOW},
        [BE_STYLE_SELECTED] = {A_REVERSE, A_REVERSE, -1},
        [BE_STYLE_KEY] = {A_REVERSE, A_REVERSE, -1},
        [BE_STYLE_PLAIN] = {A_NORMAL, A_NORMAL, -1},
    };
    const char *none = getenv("NO_COLOR");
    bool colours =
        !(none && *none) && has_colors() && start_color() == OK && use_default_colors() == OK;
    for (int i = 0; i < BE_STYLES; i++) {
        screen->look[i] = colours ? style[i].coloured : style[i].plain;
        if (colours && style[i].colour >= 0) {
            init_pair((short)(i + 1), style[i].colour, -1);
            screen->pair[i] = (short)(i + 1);
        }
    }
}

/* ---- a screen ------------------------------------------------------------------------------- */

enum be_status be_screen_open(FILE *out, FILE *in, struct be_screen **screen,
                              struct be_error *error) {
    const char *term = getenv("TERM");
    *screen = NULL;
    struct be_screen *one = calloc(1, sizeof *one);
    if (!one) {
        return be_fail(error, BE_NOMEM, "screen: out of memory");
    }
    be_rescue_keep(fileno(out), fileno(in));
    one->screen = be_rescue_can_draw(fileno(out)) ? newterm(NULL, out, in) : NULL;
    if (!one->screen) {
        free(one);
        return be_fail(error, BE_ABSENT,
                       "terminal '%s': is not known, or cannot place its cursor; --plain works",
                       term ? term : "");
    }
    cbreak();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    set_escdelay(25);
    curs_set(0);
    choose_looks(one);
    one->unicode = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    be_rescue_arm();
    *screen = one;
    return BE_OK;
}

void be_screen_size(struct be_screen *screen, int *width, int *height) {
    (void)screen;
    getmaxyx(stdscr, *height, *width);
}

bool be_screen_unicode(const struct be_screen *screen) {
    return screen->unicode;
}

static void show_line(struct be_screen *screen, const struct be_live_line *line, int row) {
    move(row, 0);
    for (int i = 0; i < line->spans; i++) {
        int from = line->span[i].from;
        int to = i + 1 < line->spans ? line->span[i + 1].from : line->bytes;
        enum be_live_style style = line->span[i].style;
        attr_set(screen->look[style], screen->pair[style], NULL);
        addnstr(line->text + from, to - from);
    }
    attr_set(A_NORMAL, 0, NULL);
}

void be_screen_show(struct be_screen *screen, const struct be_live_frame *frame) {
    erase();
    for (int i = 0; i < frame->lines; i++) {
        show_line(screen, &frame->line[i], i);
    }
    refresh();
}

int be_screen_key(struct be_screen *screen) {
    static const struct {
        int from, to;
    } keys[] = {
        {KEY_UP, BE_KEY_UP},     {KEY_DOWN, BE_KEY_DOWN},   {KEY_PPAGE, BE_KEY_PAGE_UP},
        {KEY_HOME, BE_KEY_HOME}, {KEY_END, BE_KEY_END},     {KEY_NPAGE, BE_KEY_PAGE_DOWN},
        {KEY_LEFT, BE_KEY_LEFT}, {KEY_RIGHT, BE_KEY_RIGHT}, {27, BE_KEY_ESCAPE},
        {KEY_F(1), BE_KEY_F1},   {KEY_F(2), BE_KEY_F1 + 1}, {KEY_F(6), BE_KEY_F1 + 5},
        {KEY_F(10), BE_KEY_F10},
    };
    (void)screen;
    int key = getch();
    if (key == ERR) {
        return -1;
    }
    if (key == 12) { /* Ctrl-L: as everywhere, draw all of it again */
        clearok(curscr, TRUE);
        return 0;
    }
    for (size_t i = 0; i < BE_COUNT(keys); i++) {
        if (key == keys[i].from) {
            return keys[i].to;
        }
    }
    return key >= ' ' && key <= '~' ? key : 0;
}

void be_screen_close(struct be_screen *screen) {
    if (!screen) {
        return;
    }
    be_rescue_disarm();
    endwin();
    delscreen(screen->screen);
    free(screen);
}
