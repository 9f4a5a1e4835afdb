#include "cli/lint/scripts.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/command.h"
#include "base/error.h"
#include "cli/common/script_file.h"
#include "script/script.h"

void be_cli_names_add(struct be_cli_names *names, const char *name) {
    char *copy = strdup(name);
    char **more = copy ? realloc(names->name, (names->count + 1) * sizeof *more) : NULL;
    if (!more) {
        free(copy);
        names->failed = true;
        return;
    }
    names->name = more;
    names->name[names->count++] = copy;
}

void be_cli_names_free(struct be_cli_names *names) {
    for (size_t i = 0; i < names->count; i++) {
        free(names->name[i]);
    }
    free(names->name);
    *names = (struct be_cli_names){0};
}

/* ---- folders ----------------------------------------------------------------------------------- */

static bool is_directive(const char *line) {
    static const char *const heads[] = {"#SBATCH", "#PBS", "#BSUB", "#SLURM"};
    for (size_t i = 0; i < BE_COUNT(heads); i++) {
        const size_t length = strlen(heads[i]);
        if (strncmp(line, heads[i], length) == 0 && strchr(" \t-", line[length])) {
            return true;
        }
    }
    return false;
}

bool be_cli_script_is_job(const struct be_text *text) {
    if (text->length == 0 || (strncmp(text->data, "#!", 2) != 0 && !is_directive(text->data))) {
        return false;
    }
    for (const char *line = text->data; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (is_directive(line)) {
            return true;
        }
    }
    return false;
}

/* A file that cannot be read is no script for sbatch either. */
static void add_if_job(const char *path, off_t bytes, struct be_cli_names *names) {
    struct be_text text = {0};
    struct be_error error = {0};
    if (bytes > 0 && bytes <= BE_SCRIPT_MAX && be_script_file_read(path, &text, &error) == BE_OK &&
        be_cli_script_is_job(&text)) {
        be_cli_names_add(names, path);
    }
    be_text_free(&text);
}

static int is_shown(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

enum be_status be_cli_scripts_find(const char *folder, struct be_cli_names *names,
                                   struct be_error *error) {
    struct dirent **entry = NULL;
    const int count = scandir(folder, &entry, is_shown, alphasort);
    if (count < 0) {
        return be_fail(error, BE_IO, "%s: %s", folder, strerror(errno));
    }
    for (int i = 0; i < count; i++) {
        struct be_text path = {0};
        struct stat there;
        struct be_error passed = {0};
        const bool whole = folder[0] && folder[strlen(folder) - 1] == '/';
        be_text_add(&path, "%s%s%s", folder, whole ? "" : "/", entry[i]->d_name);
        names->failed |= path.failed;
        if (path.failed || lstat(path.data, &there) != 0) {
            there.st_mode = 0;
        }
        if (S_ISDIR(there.st_mode)) {
            be_cli_scripts_find(path.data, names, &passed); /* a folder that is closed has none */
        } else if (S_ISREG(there.st_mode)) {
            add_if_job(path.data, there.st_size, names);
        }
        be_text_free(&path);
        free(entry[i]);
    }
    free(entry);
    return names->failed ? be_fail(error, BE_NOMEM, "%s: no host memory", folder) : BE_OK;
}

/* ---- jobs -------------------------------------------------------------------------------------- */

struct script {
    struct be_text *text;
    bool begun; /* the script itself, behind what sacct prints before it */
};

static enum be_status take_line(void *context, struct be_slice line, struct be_error *error) {
    struct script *script = context;
    script->begun |= line.length >= 2 && strncmp(line.text, "#!", 2) == 0;
    if (!script->begun) {
        return BE_OK;
    }
    be_text_add_bytes(script->text, line.text, line.length);
    be_text_add(script->text, "\n");
    return script->text->failed || script->text->length > BE_SCRIPT_MAX + 1
               ? be_fail(error, BE_IO, "longer than a job script may be")
               : BE_OK;
}

static enum be_status ask(const char *const *word, struct be_text *text, struct be_error *error) {
    struct script script = {text, false};
    enum be_status status = be_command_each(word, take_line, &script, error);
    if (status != BE_OK || text->length == 0) {
        be_text_free(text);
    }
    return status == BE_OK && text->length == 0
               ? be_fail(error, BE_IO, "%s knows no script of it", word[0])
               : status;
}

enum be_status be_cli_script_of_job(const char *job, struct be_text *text, struct be_error *error) {
    const char *const controller[] = {"scontrol", "write", "batch_script", job, "-", NULL};
    const char *const accounting[] = {"sacct", "--batch-script", "-j", job, NULL};
    enum be_status status = ask(controller, text, error);
    if (status == BE_IO) {
        struct be_error later = {0};
        status = ask(accounting, text, &later) == BE_OK ? BE_OK : status;
    }
    return status == BE_OK
               ? BE_OK
               : be_context(error,
                            "job %s: Slurm shows its script to its user and to administrators, "
                            "while the controller remembers the job or where accounting keeps "
                            "scripts",
                            job);
}
