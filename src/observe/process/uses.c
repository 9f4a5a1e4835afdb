/* Mapped files and environments of the program's processes. */
#include "observe/process/uses.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "observe/process/job.h"
#include "observe/process/limits.h"
#include "observe/process/proc_text.h"
#include "observe/process/tree.h"

/* ---- one process --------------------------------------------------------------------------------- */

/* "7f00-7f01 r-xp 00000000 00:00 0 ": executable, and of no file, nor of the kernel's own ([vdso]). */
static bool is_made(const char *line) {
    const char *flags = strchr(line, ' ');
    return flags && strlen(flags) > 4 && flags[3] == 'x' && !strchr(flags, '[');
}

/* Lines of maps: "55d0-55d1 r-xp 00000000 08:01 1234   /usr/bin/python3.11". One file has several next to each
 * other. */
static be_library_set read_maps(FILE *in, int *made) {
    enum { LINE = 4400 };
    char line[LINE], before[LINE] = "";
    be_library_set set = 0;
    while (fgets(line, sizeof line, in)) {
        char *path = strchr(line, '/');
        if (!path) {
            *made += is_made(line);
            continue;
        }
        path[strcspn(path, "\n")] = '\0';
        if (strcmp(path, before) != 0) {
            enum be_mapped library = be_library_of(path);
            set |= library < BE_LIBS ? be_library_bit(library) : 0;
            memmove(before, path, strlen(path) + 1);
        }
    }
    return set;
}

static struct be_settings read_settings(const char *files, int pid) {
    const char **environment = be_process_environment(files, pid);
    char text[BE_NOTE] = "";
    for (int i = 0; environment && i < BE_SETTINGS; i++) {
        const char *value = be_variable(environment, be_thread_settings[i]);
        size_t length = strlen(text);
        if (value) {
            snprintf(text + length, sizeof text - length, "%s%s=%.9s", length ? " " : "",
                     be_thread_settings[i], value);
        }
    }
    free(environment);
    return be_settings_read(text);
}

/* A file that may not be read stays unknown, and is asked for as rarely as what is known. */
static void look_at(const char *files, struct be_member *member, double now_s) {
    static const double grown_by = 0.5, least_s = 0.1, most_s = 60;
    struct be_used *used = &member->used;
    char path[4200];
    snprintf(path, sizeof path, "%s/proc/%d/maps", files, member->stat.pid);
    FILE *in = fopen(path, "re");
    if (in) {
        used->code_made = 0;
        used->libraries = BE_LIBS_KNOWN | read_maps(in, &used->code_made);
        fclose(in);
        used->settings = read_settings(files, member->stat.pid);
    }
    memcpy(used->name, member->stat.name, sizeof used->name);
    used->next_s = now_s + fmin(fmax(least_s, grown_by * (now_s - member->start_s)), most_s);
}

/* ---- all of them ----------------------------------------------------------------------------------- */

static bool due(const struct be_member *member, double now_s) {
    return now_s >= member->used.next_s ||
           strncmp(member->used.name, member->stat.name, sizeof member->used.name) != 0;
}

void be_uses_look(const char *files, struct be_member *member, int members, double now_s,
                  double budget_s) {
    enum { A_TURN = 16 };
    double deadline = be_thread_time() + budget_s;
    for (int turn = 0; turn < A_TURN; turn++) {
        struct be_member *most = NULL;
        for (int i = 0; i < members; i++) {
            bool more = due(&member[i], now_s) && (!most || member[i].cpu_s > most->cpu_s);
            most = more ? &member[i] : most;
        }
        if (!most || be_thread_time() > deadline) {
            return;
        }
        look_at(files, most, now_s);
    }
}

static void add_one(struct be_uses *uses, struct be_member *one) {
    const be_library_set gpu = be_library_bit(BE_LIB_CUDA) | be_library_bit(BE_LIB_HIP);
    const be_library_set has = one->used.libraries;
    const double taken_s = fmax(one->cpu_s - one->used.counted_s, 0);
    one->used.counted_s = one->cpu_s;
    uses->seen |= has;
    uses->all_s += taken_s;
    uses->code_made += one->used.code_made;
    uses->on_gpu |= has & gpu ? has : 0;
    for (int k = 0; k < BE_LIBS; k++) {
        uses->cpu_s[k] += has & be_library_bit((enum be_mapped)k) ? taken_s : 0;
    }
    if (one->cpu_s >= uses->most_s) {
        uses->most_s = one->cpu_s;
        uses->settings = one->used.settings;
    }
}

void be_uses_add(struct be_uses *uses, struct be_member *member, int members) {
    uses->code_made = 0;
    for (int i = 0; i < members; i++) {
        if (member[i].used.libraries & BE_LIBS_KNOWN) {
            add_one(uses, &member[i]);
        }
    }
}

/* Where nobody has taken any time yet, all count. */
be_library_set be_uses_libraries(const struct be_uses *uses) {
    static const double part_min = 0.02;
    be_library_set set = (uses->seen & BE_LIBS_KNOWN) | uses->on_gpu;
    for (int k = 0; k < BE_LIBS; k++) {
        const be_library_set bit = be_library_bit((enum be_mapped)k);
        set |= uses->cpu_s[k] >= part_min * uses->all_s ? uses->seen & bit : 0;
    }
    return set;
}
