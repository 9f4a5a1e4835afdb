#include "observe/process/job_group.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

/* A component of a path. */
struct part {
    const char *text;
    size_t length;
};

static struct part next_part(const char **at) {
    *at += strspn(*at, "/");
    struct part part = {*at, strcspn(*at, "/\n")};
    *at += part.length;
    return part;
}

static bool begins(struct part part, const char *with) {
    return part.length >= strlen(with) && strncmp(part.text, with, strlen(with)) == 0;
}

static bool ends(struct part part, const char *with) {
    size_t length = strlen(with);
    return part.length >= length && strncmp(part.text + part.length - length, with, length) == 0;
}

static bool is(struct part part, const char *word) {
    return part.length == strlen(word) && begins(part, word);
}

/* Takes the text that follows `before`, up to a sign in `until`; it must begin with a digit where
 * `number`. */
static bool take(struct part part, const char *before, const char *until, bool number,
                 char to[BE_NAME]) {
    size_t from = strlen(before), length = 0;
    if (!begins(part, before)) {
        return false;
    }
    while (from + length < part.length && !strchr(until, part.text[from + length])) {
        length++;
    }
    if (length == 0 || length >= BE_NAME || (number && !isdigit((unsigned char)part.text[from]))) {
        return false;
    }
    be_copy_text(to, length + 1, part.text + from);
    return true;
}

enum { SLUID_LENGTH = BE_JOB_SLUID - 1 };

/* "s8FXKTA79XAR00". Slurm's capitals are those of Crockford's base 32, which are not looked at one by one. */
static bool is_sluid(struct part part) {
    bool right = part.length == SLUID_LENGTH && part.text[0] == 's';
    for (size_t i = 1; right && i < part.length; i++) {
        right = isdigit((unsigned char)part.text[i]) || isupper((unsigned char)part.text[i]);
    }
    return right;
}

bool be_job_is_sluid(const char *text) {
    return is_sluid((struct part){text, strlen(text)});
}

/* One path; `end`: where the part that names the job ends. A folder of his own that a user calls "job_12" is no batch
 * job. */
static bool read_path(const char *path, struct be_job_group *group, const char **end) {
    enum { NOBODY, SLURM, SCOPE, LSF } whose = NOBODY; /* SCOPE: directly below Slurm's scope */
    bool found = false;
    while (*path && *path != '\n') {
        struct part part = next_part(&path);
        if (found) {
            take(part, "step_", "", false, group->step); /* directly below, or not at all */
            return true;
        }
        if ((whose == SLURM || whose == SCOPE) && take(part, "job_", "", true, group->job)) {
            found = true;
            *end = path;
        } else if (whose == SCOPE && is_sluid(part)) {
            found = take(part, "", "", false, group->job);
            *end = path;
        } else if (whose == LSF && take(part, "job.", ".", true, group->job)) {
            *end = path;
            return true;
        } else if (ends(part, "slurmstepd.scope")) {
            whose = SCOPE;
        } else if (whose == SCOPE || is(part, "slurm") || begins(part, "slurm_")) {
            whose = SLURM;
        } else if (is(part, "lsf")) {
            whose = LSF;
        }
    }
    return found;
}

bool be_job_group_read(const char *text, struct be_job_group *group) {
    *group = (struct be_job_group){0};
    for (const char *line = text; *line;) {
        struct be_job_group one = {0};
        const char *end;
        size_t length = strcspn(line, "\n");
        const char *path = memchr(line, ':', length); /* 4:memory:/slurm/... */
        path = path ? memchr(path + 1, ':', length - (size_t)(path + 1 - line)) : NULL;
        if (path && read_path(path + 1, &one, &end) && (!group->job[0] || one.step[0])) {
            *group = one; /* the one that says most */
        }
        line += length + (line[length] == '\n');
    }
    return group->job[0] != '\0';
}

bool be_job_group_cut(char *path) {
    struct be_job_group group = {0};
    const char *end;
    if (!read_path(path, &group, &end)) {
        return false;
    }
    path[end - path] = '\0';
    return true;
}

bool be_job_group_is(const struct be_job_group *group, const char *id) {
    char whole[2 * BE_NAME];
    snprintf(whole, sizeof whole, "%s.%s", group->job, group->step);
    return strcmp(group->job, id) == 0 || (group->step[0] && strcmp(whole, id) == 0);
}
