#include "base/command.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"

/* Slurm's commands take options from the environment too. Those of the user say which jobs are shown to that
 * user (SQUEUE_USERS), in which form (SQUEUE_FORMAT) and of which cluster, and would be part of each answer. */
static const char *const dropped[] = {"SQUEUE_",         "SINFO_",
                                      "SACCT_",          "SBATCH_",
                                      "SCONTROL_",       "SLURM_TIME_FORMAT=",
                                      "SLURM_CLUSTERS=", "SLURM_BITSTR_LEN=",
                                      "SLURM_HINT=",     "SLURM_JSON=",
                                      "SLURM_YAML="};

static bool is_dropped(const char *variable) {
    for (size_t i = 0; i < BE_COUNT(dropped); i++) {
        if (strncmp(variable, dropped[i], strlen(dropped[i])) == 0) {
            return true;
        }
    }
    return false;
}

/* The environment of this process without such options, with times as numbers (no zone to guess) and numbers of
 * array tasks written out (64 signs else). */
static char **surroundings(void) {
    static char times[] = "SLURM_TIME_FORMAT=%s", tasks[] = "SLURM_BITSTR_LEN=0";
    size_t count = 0, kept = 0;
    while (environ[count]) {
        count++;
    }
    char **list = calloc(count + 3, sizeof *list);
    for (size_t i = 0; list && i < count; i++) {
        if (!is_dropped(environ[i])) {
            list[kept++] = environ[i];
        }
    }
    if (list) {
        list[kept++] = times;
        list[kept] = tasks;
    }
    return list;
}

static int spawn(const char *const *word, int out, int complaints, pid_t *pid) {
    posix_spawn_file_actions_t actions;
    char **list = surroundings();
    int failed = list ? posix_spawn_file_actions_init(&actions) : ENOMEM;
    if (failed) {
        free(list);
        return failed;
    }
    failed = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    failed = failed ? failed : posix_spawn_file_actions_adddup2(&actions, out, 1);
    failed = failed ? failed : posix_spawn_file_actions_adddup2(&actions, complaints, 2);
    /* posix_spawnp takes char * and changes none of it. */
    char *const *words = (char *const *)(uintptr_t)word;
    failed = failed ? failed : posix_spawnp(pid, word[0], &actions, NULL, words, list);
    posix_spawn_file_actions_destroy(&actions);
    free(list);
    return failed;
}

/* A folder of PATH that may not be searched makes EACCES of what is nowhere, too. */
static bool is_nowhere(const char *name, int cause) {
    const char *at = getenv("PATH");
    if (cause != EACCES || strchr(name, '/') || !at) {
        return cause == ENOENT;
    }
    for (size_t length; *at; at += length + (at[length] == ':')) {
        char path[1024];
        length = strcspn(at, ":");
        snprintf(path, sizeof path, "%.*s/%s", (int)length, length ? at : ".", name);
        if (access(path, F_OK) == 0) {
            return false;
        }
    }
    return true;
}

static enum be_status not_started(const char *name, int cause, struct be_error *error) {
    if (is_nowhere(name, cause)) {
        return be_fail(error, BE_ABSENT,
                       "%s: no such command here: run this on a cluster's login node, or name a "
                       "file that `sacct -P` wrote there",
                       name);
    }
    return be_fail(error, BE_IO, "%s: %s", name, strerror(cause));
}

enum be_status be_command_start(const char *const *word, struct be_command *command,
                                struct be_lines **lines, struct be_error *error) {
    int ends[2];
    int complaints = memfd_create("complaints", MFD_CLOEXEC);
    if (complaints < 0 || pipe2(ends, O_CLOEXEC) != 0) {
        int cause = errno;
        if (complaints >= 0) {
            close(complaints);
        }
        return be_fail(error, BE_IO, "%s: %s", word[0], strerror(cause));
    }
    pid_t pid = 0;
    int failed = spawn(word, ends[1], complaints, &pid);
    close(ends[1]);
    if (failed) {
        close(ends[0]);
        close(complaints);
        return not_started(word[0], failed, error);
    }
    *command = (struct be_command){.pid = pid, .complaints = complaints, .name = word[0]};
    enum be_status status = be_lines_descriptor(ends[0], word[0], lines, error);
    if (status != BE_OK) {
        be_command_wait(command, NULL);
    }
    return status;
}

static int await(pid_t pid) {
    int status = 0;
    while (waitpid(pid, &status, 0) < 0) {
        if (errno != EINTR) {
            return -1;
        }
    }
    return status;
}

/* Slurm is installed and not set up, or keeps no accounting: then what it was asked for is absent, and
 * did not fail. Slurm 20.02 and newer look for slurm.conf in several places, and say last that there is none. */
static const char *what_is_absent(const char *said) {
    static const struct {
        const char *words, *absent;
    } known[] = {{"Could not establish a configuration source", "belongs to no cluster"},
                 {"accounting storage is disabled", "is of a cluster that keeps no accounting"}};
    for (size_t i = 0; i < BE_COUNT(known); i++) {
        if (strstr(said, known[i].words)) {
            return known[i].absent;
        }
    }
    return NULL;
}

enum be_status be_command_wait(struct be_command *command, struct be_error *error) {
    if (!command->pid) {
        return BE_OK;
    }
    char said[2048] = "";
    int ended = await(command->pid);
    ssize_t length = pread(command->complaints, said, sizeof said - 1, 0);
    said[length > 0 ? length : 0] = '\0';
    const char *absent = ended == 0 ? NULL : what_is_absent(said);
    said[strcspn(said, "\r\n")] = '\0';
    close(command->complaints);
    *command = (struct be_command){.name = command->name, .complained = *said != '\0'};
    if (ended == 0) {
        return BE_OK;
    }
    if (absent) {
        return be_fail(error, BE_ABSENT, "%s: this machine %s: %.200s", command->name, absent,
                       said);
    }
    return be_fail(error, BE_IO, "%s failed: %.300s", command->name,
                   *said ? said : "it did not say why");
}

enum be_status be_command_each(const char *const *word, be_command_take *take, void *context,
                               struct be_error *error) {
    struct be_command command = {0};
    struct be_lines *lines = NULL;
    struct be_slice line;
    bool more = true;
    enum be_status status = be_command_start(word, &command, &lines, error);
    while (status == BE_OK && (status = be_lines_next(lines, &line, &more, error)) == BE_OK &&
           more) {
        status = take(context, line, error);
    }
    be_lines_close(lines);
    enum be_status ended = be_command_wait(&command, status == BE_OK ? error : NULL);
    return status == BE_OK ? ended : status;
}

enum be_status be_command_text(const char *const *word, char *text, size_t capacity,
                               struct be_error *error) {
    int both = memfd_create("said", MFD_CLOEXEC);
    pid_t pid = 0;
    text[0] = '\0';
    if (both < 0) {
        return be_fail(error, BE_IO, "%s: %s", word[0], strerror(errno));
    }
    int failed = spawn(word, both, both, &pid);
    if (failed) {
        close(both);
        return not_started(word[0], failed, error);
    }
    int ended = await(pid);
    ssize_t length = pread(both, text, capacity - 1, 0);
    text[length > 0 ? length : 0] = '\0';
    close(both);
    return ended == 0 ? BE_OK : be_fail(error, BE_IO, "%s failed: %.200s", word[0], text);
}
