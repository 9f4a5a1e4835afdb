#include "live/rescue.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include <ncurses.h>
#include <term.h> /* its macros are words as common as `lines`: nothing else is done in this file */

bool be_rescue_can_draw(int out) {
    int found = 0;
    bool can = setupterm(NULL, out, &found) == OK && cursor_address && clear_screen;
    if (cur_term) {
        del_curterm(cur_term);
    }
    return can;
}

/* The state that a handler of a crash may still use: bytes made beforehand to write, modes kept beforehand to set. */
static struct {
    volatile sig_atomic_t armed;
    int out, in;
    struct termios modes;
    bool has_modes;
    char bytes[256];
    size_t length;
} rescue;

static const int crash[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
enum { CRASHES = sizeof crash / sizeof crash[0] };

static void on_crash(int number) {
    if (rescue.armed) {
        ssize_t written = write(rescue.out, rescue.bytes, rescue.length);
        (void)written;
        if (rescue.has_modes) {
            tcsetattr(rescue.in, TCSANOW, &rescue.modes);
        }
    }
    raise(number); /* its handler is the default again: this ends the process */
}

static void add_rescue(const char *bytes) {
    size_t length = bytes && bytes != (char *)-1 ? strlen(bytes) : 0;
    if (length && length <= sizeof rescue.bytes - rescue.length) {
        memcpy(rescue.bytes + rescue.length, bytes, length);
        rescue.length += length;
    }
}

void be_rescue_keep(int out, int in) {
    memset(&rescue, 0, sizeof rescue);
    rescue.out = out;
    rescue.in = in;
    rescue.has_modes = tcgetattr(in, &rescue.modes) == 0;
}

void be_rescue_arm(void) {
    struct sigaction action = {.sa_handler = on_crash, .sa_flags = (int)SA_RESETHAND | SA_NODEFER};
    sigemptyset(&action.sa_mask);
    add_rescue(exit_attribute_mode);
    add_rescue(cursor_normal);
    add_rescue(keypad_local);
    add_rescue(exit_ca_mode);
    rescue.armed = 1;
    for (size_t i = 0; i < CRASHES; i++) {
        sigaction(crash[i], &action, NULL);
    }
}

void be_rescue_disarm(void) {
    for (size_t i = 0; rescue.armed && i < CRASHES; i++) {
        signal(crash[i], SIG_DFL);
    }
    rescue.armed = 0;
}
