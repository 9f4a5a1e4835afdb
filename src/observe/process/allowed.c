/* The CPUs that threads may use. */
#include "observe/process/allowed.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "observe/process/proc_text.h"

static const double worth_counting = 0.05;
enum { ASKED_MAX = 256 }; /* threads of a process: of thousands the first tell */

bool be_cpus_read(const char *list, struct be_cpus *cpus) {
    bool any = false;
    *cpus = (struct be_cpus){0};
    for (char *end; *list >= '0' && *list <= '9'; list = end + (*end == ',')) {
        long first = strtol(list, &end, 10), last = first;
        if (*end == '-') {
            last = strtol(end + 1, &end, 10);
        }
        for (long i = first; i <= last && i < BE_CPUS_MAX; i++) {
            cpus->word[i / 64] |= UINT64_C(1) << (i % 64);
            any = true;
        }
    }
    return any;
}

int be_cpus_count(const struct be_cpus *cpus) {
    int count = 0;
    for (int i = 0; i < BE_CPU_WORDS; i++) {
        count += __builtin_popcountll(cpus->word[i]);
    }
    return count;
}

void be_cpus_join(struct be_cpus *cpus, const struct be_cpus *more) {
    for (int i = 0; i < BE_CPU_WORDS; i++) {
        cpus->word[i] |= more->word[i];
    }
}

bool be_cpus_of(const char *files, int pid, int tid, struct be_cpus *cpus) {
    static const char name[] = "Cpus_allowed_list:\t";
    char text[8192];
    if (be_small_file(text, sizeof text, "%s/proc/%d/task/%d/status", files, pid, tid) <= 0) {
        return false;
    }
    const char *line = strstr(text, name);
    return line && be_cpus_read(line + strlen(name), cpus);
}

void be_cpus_join_all(const char *files, int pid, struct be_cpus *cpus) {
    char folder[4200];
    struct be_cpus one;
    snprintf(folder, sizeof folder, "%s/proc/%d/task", files, pid);
    DIR *list = opendir(folder);
    int asked = 0;
    for (struct dirent *entry; list && asked < ASKED_MAX && (entry = readdir(list)) != NULL;) {
        int tid = atoi(entry->d_name);
        if (tid > 0 && be_cpus_of(files, pid, tid, &one)) {
            be_cpus_join(cpus, &one);
            asked++;
        }
    }
    if (list) {
        closedir(list);
    }
}

int be_allowed_set(struct be_allowed *allowed, const struct be_cpus *cpus) {
    for (int i = 0; i < allowed->sets; i++) {
        if (memcmp(&allowed->cpus[i], cpus, sizeof *cpus) == 0) {
            return i;
        }
    }
    int count = allowed->sets;
    if ((count & (count - 1)) == 0) { /* room grows in powers of two */
        size_t capacity = count ? 2 * (size_t)count : 1;
        struct be_cpus *sets =
            count < BE_CPU_SETS_MAX ? realloc(allowed->cpus, capacity * sizeof *sets) : NULL;
        allowed->cpus = sets ? sets : allowed->cpus;
        double *wanted_s = sets ? realloc(allowed->wanted_s, capacity * sizeof *wanted_s) : NULL;
        allowed->wanted_s = wanted_s ? wanted_s : allowed->wanted_s;
        if (!wanted_s) {
            return -1;
        }
    }
    allowed->cpus[count] = *cpus;
    allowed->wanted_s[count] = 0;
    return allowed->sets++;
}

void be_allowed_wanted(struct be_allowed *allowed, int set, double wanted_s) {
    if (set >= 0 && wanted_s > 0) {
        allowed->wanted_s[set] += wanted_s;
    }
}

int be_allowed_count(const struct be_allowed *allowed, double length_s) {
    struct be_cpus all = {0};
    for (int i = 0; i < allowed->sets; i++) {
        if (allowed->wanted_s[i] > worth_counting * length_s) {
            be_cpus_join(&all, &allowed->cpus[i]);
        }
    }
    return be_cpus_count(&all);
}

void be_allowed_free(struct be_allowed *allowed) {
    free(allowed->cpus);
    free(allowed->wanted_s);
    *allowed = (struct be_allowed){0};
}
