#include "cli/run/watch_more.h"

#include <math.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "observe/process/proc_text.h"

/* A user without a name, or one too many, is a number. */
static const char *name_of(struct be_watch_more *more, uid_t number, char *word, size_t capacity) {
    for (int i = 0; i < more->users; i++) {
        if (more->user[i].number == number) {
            return more->user[i].name;
        }
    }
    snprintf(word, capacity, "%lu", (unsigned long)number);
    if (more->users == BE_WATCH_USERS) {
        return word;
    }
    const struct passwd *known = getpwuid(number);
    int at = more->users++;
    more->user[at].number = number;
    be_copy_text(more->user[at].name, BE_NAME, known && known->pw_name ? known->pw_name : word);
    return more->user[at].name;
}

static void look_at_command(struct be_live_more *one) {
    int length = be_small_file(one->command, sizeof one->command, "/proc/%d/cmdline", one->pid);
    if (length <= 0) {
        one->command[0] = '\0';
        return;
    }
    while (length > 0 && !one->command[length - 1]) {
        length--; /* a program that writes its title there leaves many */
    }
    for (int i = 0; i < length; i++) {
        one->command[i] = one->command[i] ? one->command[i] : ' ';
    }
}

static void look_at(struct be_watch_more *more, struct be_live_more *one, bool commands) {
    char text[4096], word[BE_WORD];
    if (be_small_file(text, sizeof text, "/proc/%d/status", one->pid) <= 0) {
        return;
    }
    const char *state = strstr(text, "\nState:");
    double user = be_named_value(text, "Uid");
    if (state) {
        state += strlen("\nState:");
        one->state = state[strspn(state, " \t")];
    }
    if (!isnan(user)) {
        uid_t number = (uid_t)user;
        be_copy_text(one->user, sizeof one->user, name_of(more, number, word, sizeof word));
        if (commands && number == geteuid()) {
            look_at_command(one);
        }
    }
}

void be_watch_more_look(struct be_watch_more *more, const struct be_trace *trace, bool commands) {
    for (int i = 0; i < trace->processes; i++) {
        more->list[i] = (struct be_live_more){.pid = trace->process[i].pid};
        look_at(more, &more->list[i], commands);
    }
}
