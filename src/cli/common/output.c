/* Where results go: files opened before anything is measured, replaced only when results. */
#include "cli/common/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/part_file.h"
#include "breakeven_profile.h"
#include "cli/common/terminal.h"
#include "report/trace/trace.h"

/* It is whole, or gone. */
static void forget_part(struct be_cli_output *output) {
    if (output->part) {
        be_cli_part_ends(output->part);
    }
    free(output->part);
    output->part = NULL;
}

struct be_cli_output be_cli_output_to(const char *file) {
    const bool standard = !file || strcmp(file, "-") == 0;
    return (struct be_cli_output){.asked = true, .file = standard ? NULL : file};
}

int be_cli_own_file(const char *path) {
    static const struct {
        const char *begin;
        int number; /* -1: what follows */
    } names[] = {{"/dev/stdout", 1}, {"/dev/stderr", 2}, {"/dev/fd/", -1}, {"/proc/self/fd/", -1}};
    for (size_t i = 0; i < BE_COUNT(names); i++) {
        const char *rest = path + strlen(names[i].begin);
        bool begins = strncmp(path, names[i].begin, strlen(names[i].begin)) == 0;
        bool digits =
            begins && *rest && strlen(rest) < 9 && strspn(rest, "0123456789") == strlen(rest);
        if (begins && (names[i].number < 0 ? digits : !*rest)) {
            return fcntl(names[i].number < 0 ? atoi(rest) : names[i].number, F_DUPFD_CLOEXEC, 3);
        }
    }
    return -1;
}

/* Splits the path of a file that may not be there yet: its folder, and its name in it. */
static bool split(const char *path, struct stat *folder, const char **name) {
    char *copy = strdup(path);
    char *slash = copy ? strrchr(copy, '/') : NULL;
    *name = slash ? path + (slash - copy) + 1 : path;
    if (slash) {
        slash[slash == copy] = '\0'; /* of the root's own the slash stays */
    }
    bool there = copy && stat(slash ? copy : ".", folder) == 0;
    free(copy);
    return there;
}

static bool same_thing(const struct stat *one, const struct stat *other) {
    return one->st_dev == other->st_dev && one->st_ino == other->st_ino;
}

bool be_cli_same_file(const char *one, const char *other) {
    struct stat a, b;
    const char *name[2];
    bool here = stat(one, &a) == 0, there = stat(other, &b) == 0;
    if (here || there) {
        return here && there && S_ISREG(a.st_mode) && same_thing(&a, &b);
    }
    return strcmp(one, other) == 0 || (split(one, &a, &name[0]) && split(other, &b, &name[1]) &&
                                       same_thing(&a, &b) && strcmp(name[0], name[1]) == 0);
}

/* It is written as it stands: neither emptied nor replaced. */
static enum be_status open_own(struct be_cli_output *output, int file, struct be_error *error) {
    bool writable = (fcntl(file, F_GETFL) & O_ACCMODE) != O_RDONLY;
    output->out = writable ? fdopen(file, "w") : NULL;
    if (!output->out) {
        close(file);
        return be_fail(error, BE_IO, "%s: cannot be written: it is open for reading", output->file);
    }
    return BE_OK;
}

static enum be_status open_as_it_is(struct be_cli_output *output, struct be_error *error) {
    output->out = fopen(output->file, "we");
    return output->out
               ? BE_OK
               : be_fail(error, BE_IO, "%s: cannot be written: %s", output->file, strerror(errno));
}

static enum be_status open_part(struct be_cli_output *output, struct be_error *error) {
    enum be_status status = be_part_open(output->file, 0666, &output->out, &output->part, error);
    if (status == BE_OK) {
        be_cli_part_begins(output->part);
    }
    return status;
}

static enum be_status open_one(struct be_cli_output *output, struct be_error *error) {
    if (!output->asked) {
        return BE_OK;
    }
    if (!output->file) {
        output->out = stdout;
        return BE_OK;
    }
    int own = be_cli_own_file(output->file);
    if (own >= 0) {
        return open_own(output, own, error);
    }
    /* Pipes and devices are written as they are; a file is replaced when the new one is results. */
    struct stat there;
    bool exists = stat(output->file, &there) == 0;
    if (exists && S_ISDIR(there.st_mode)) {
        return be_fail(error, BE_IO, "%s: is a folder; name a file in it", output->file);
    }
    if (exists && access(output->file, W_OK) != 0) {
        return be_fail(error, BE_IO, "%s: cannot be written: %s", output->file, strerror(errno));
    }
    return !exists || S_ISREG(there.st_mode) ? open_part(output, error)
                                             : open_as_it_is(output, error);
}

/* A name that promises another kind of picture than the one that is written cannot be shown. */
static enum be_status check_drawn(const char *option, const char *file, const char *own,
                                  const char *name, struct be_error *error) {
    static const char *const kind[] = {"png", "svg", "pdf", "jpg", "jpeg", "gif"};
    const char *dot = file ? strrchr(file, '.') : NULL;
    if (file && strcmp(file, "-") == 0) {
        return be_fail(error, BE_USAGE, "%s: a picture goes to a file: name one", option);
    }
    for (size_t i = 0; dot && i < BE_COUNT(kind); i++) {
        if (strcasecmp(dot + 1, kind[i]) == 0 && strcmp(kind[i], own) != 0) {
            return be_fail(error, BE_USAGE, "%s %s: it is drawn as %s: name it FILE.%s", option,
                           file, name, own);
        }
    }
    return BE_OK;
}

/* Two on standard output would be neither. */
static enum be_status check_standard(const struct be_cli_outputs *outputs, struct be_error *error) {
    const struct {
        const char *option;
        const struct be_cli_output *output;
    } to[] = {{"--json", &outputs->json},
              {"--csv", &outputs->csv},
              {"--sarif", &outputs->sarif},
              {"--chart", &outputs->chart}};
    const char *taken = NULL;
    for (size_t i = 0; i < BE_COUNT(to); i++) {
        if (!to[i].output->asked || to[i].output->file) {
            continue;
        }
        if (taken) {
            return be_fail(error, BE_USAGE,
                           "%s and %s both to standard output: name a file for one of them", taken,
                           to[i].option);
        }
        taken = to[i].option;
    }
    return BE_OK;
}

enum be_status be_cli_outputs_open(struct be_cli_outputs *outputs, struct be_error *error) {
    enum be_status status = check_standard(outputs, error);
    if (status != BE_OK) {
        return status;
    }
    const struct {
        const char *option, *file;
    } to[] = {{"--json", outputs->json.file},
              {"--csv", outputs->csv.file},
              {"--sarif", outputs->sarif.file},
              {"--picture", outputs->picture.file},
              {"--chart", outputs->chart.file}};
    for (size_t i = 0; i < BE_COUNT(to); i++) {
        if (to[i].file && !*to[i].file) {
            return be_fail(error, BE_USAGE, "%s: which file? its name is empty", to[i].option);
        }
        for (size_t k = i + 1; k < BE_COUNT(to); k++) {
            if (to[i].file && to[k].file &&
                (strcmp(to[i].file, to[k].file) == 0 || be_cli_same_file(to[i].file, to[k].file))) {
                return be_fail(error, BE_USAGE, "%s: %s and %s need a file each", to[i].file,
                               to[i].option, to[k].option);
            }
        }
    }
    status = check_drawn("--picture", outputs->picture.file, "png", "PNG", error);
    status = status ? status : check_drawn("--chart", outputs->chart.file, "svg", "SVG", error);
    status = status == BE_OK ? open_one(&outputs->json, error) : status;
    status = status == BE_OK ? open_one(&outputs->csv, error) : status;
    status = status == BE_OK ? open_one(&outputs->sarif, error) : status;
    status = status == BE_OK ? open_one(&outputs->picture, error) : status;
    return status == BE_OK && outputs->chart.file ? open_one(&outputs->chart, error) : status;
}

static enum be_status write_one(struct be_cli_output *output, enum be_format format,
                                be_cli_writer *write, const void *results, struct be_error *error) {
    if (!output->out) {
        return BE_OK;
    }
    enum be_status status = write(results, format, output->out, error);
    if (status != BE_OK && output->file) {
        be_context(error, "%s", output->file);
    }
    if (status == BE_OK && fflush(output->out) != 0) {
        status = be_fail(error, BE_IO, "%s: %s", output->file ? output->file : "standard output",
                         strerror(errno));
    }
    if (output->out == stdout || status != BE_OK) {
        return status;
    }
    int closed = fclose(output->out);
    output->out = NULL;
    if (closed != 0 || (output->part && be_part_rename(output->part) != 0)) {
        return be_fail(error, BE_IO, "%s: %s", output->file, strerror(errno));
    }
    forget_part(output);
    return BE_OK;
}

enum be_status be_cli_outputs_write(struct be_cli_outputs *outputs, be_cli_writer *write,
                                    const void *results, struct be_error *error) {
    bool taken = outputs->no_text || outputs->json.out == stdout || outputs->csv.out == stdout ||
                 outputs->sarif.out == stdout;
    enum be_status status = write_one(&outputs->json, BE_JSON, write, results, error);
    struct be_error *next = status == BE_OK ? error : NULL;
    enum be_status csv = write_one(&outputs->csv, BE_CSV, write, results, next);
    status = status == BE_OK ? csv : status;
    next = status == BE_OK ? error : NULL;
    enum be_status sarif = write_one(&outputs->sarif, BE_SARIF, write, results, next);
    status = status == BE_OK ? sarif : status;
    next = status == BE_OK ? error : NULL;
    enum be_status picture = write_one(&outputs->picture, BE_PNG, write, results, next);
    status = status == BE_OK ? picture : status;
    next = status == BE_OK ? error : NULL;
    enum be_status chart = write_one(&outputs->chart, BE_SVG, write, results, next);
    status = status == BE_OK ? chart : status;
    if (!taken) {
        enum be_status table = write(results, BE_TEXT, stdout, status == BE_OK ? error : NULL);
        status = status == BE_OK ? table : status;
    }
    return status;
}

enum be_status be_cli_write_comparison(const void *results, enum be_format format, FILE *out,
                                       struct be_error *error) {
    return be_comparison_write(results, format, out, error);
}

enum be_status be_cli_write_profile(const void *results, enum be_format format, FILE *out,
                                    struct be_error *error) {
    return be_profile_write(results, format, out, error);
}

enum be_status be_cli_write_trace(const void *results, enum be_format format, FILE *out,
                                  struct be_error *error) {
    return be_trace_write(results, format, out, error);
}

static void close_one(struct be_cli_output *output) {
    if (output->out && output->out != stdout) {
        fclose(output->out);
    }
    if (output->part) {
        unlink(output->part);
    }
    forget_part(output);
    output->out = NULL;
}

bool be_cli_outputs_chart(const struct be_cli_outputs *outputs) {
    return outputs->chart.asked && !outputs->chart.file;
}

void be_cli_outputs_no_picture(struct be_cli_outputs *outputs) {
    close_one(&outputs->picture);
}

void be_cli_outputs_close(struct be_cli_outputs *outputs) {
    close_one(&outputs->json);
    close_one(&outputs->csv);
    close_one(&outputs->sarif);
    close_one(&outputs->picture);
    close_one(&outputs->chart);
}
