/* Where results go: files opened before anything is measured, replaced only when results. */
#include "cli/common/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/part_file.h"
#include "breakeven_profile.h"
#include "cli/draw/png.h"
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

/* The outputs there are, in the order in which they are written. */
static const struct kind {
    const char *option;
    size_t at; /* in struct be_cli_outputs */
    enum be_format format;
    const char *ending, *name; /* of what is drawn, which goes to a file alone; NULL: text */
    bool converted;            /* from SVG */
} kinds[] = {
    {"--json", offsetof(struct be_cli_outputs, json), BE_JSON, NULL, NULL, false},
    {"--csv", offsetof(struct be_cli_outputs, csv), BE_CSV, NULL, NULL, false},
    {"--sarif", offsetof(struct be_cli_outputs, sarif), BE_SARIF, NULL, NULL, false},
    {"--picture", offsetof(struct be_cli_outputs, picture), BE_PNG, "png", "PNG", false},
    {"--chart", offsetof(struct be_cli_outputs, chart), BE_SVG, "svg", "SVG", false},
    {"--png", offsetof(struct be_cli_outputs, png), BE_SVG, "png", "PNG", true},
    {"--html", offsetof(struct be_cli_outputs, html), BE_HTML, NULL, NULL, false},
};

static struct be_cli_output *output_of(struct be_cli_outputs *outputs, size_t i) {
    return (struct be_cli_output *)((char *)outputs + kinds[i].at);
}

/* A chart without a file is text behind the table. */
static bool is_beside_text(size_t i) {
    return kinds[i].format == BE_SVG;
}

/* Two on standard output would be neither. */
static enum be_status check_standard(struct be_cli_outputs *outputs, struct be_error *error) {
    const char *taken = NULL;
    for (size_t i = 0; i < BE_COUNT(kinds); i++) {
        const struct be_cli_output *output = output_of(outputs, i);
        if (!output->asked || output->file) {
            continue;
        }
        if (taken) {
            return be_fail(error, BE_USAGE,
                           "%s and %s both to standard output: name a file for one of them", taken,
                           kinds[i].option);
        }
        taken = kinds[i].option;
    }
    return BE_OK;
}

static enum be_status check_apart(struct be_cli_outputs *outputs, size_t i,
                                  struct be_error *error) {
    const char *file = output_of(outputs, i)->file;
    if (file && !*file) {
        return be_fail(error, BE_USAGE, "%s: which file? its name is empty", kinds[i].option);
    }
    for (size_t k = i + 1; file && k < BE_COUNT(kinds); k++) {
        const char *other = output_of(outputs, k)->file;
        if (other && (strcmp(file, other) == 0 || be_cli_same_file(file, other))) {
            return be_fail(error, BE_USAGE, "%s: %s and %s need a file each", file, kinds[i].option,
                           kinds[k].option);
        }
    }
    return BE_OK;
}

enum be_status be_cli_outputs_open(struct be_cli_outputs *outputs, struct be_error *error) {
    enum be_status status = check_standard(outputs, error);
    status = status == BE_OK && outputs->png.asked ? be_cli_png_check(error) : status;
    for (size_t i = 0; i < BE_COUNT(kinds) && !status; i++) {
        status = check_apart(outputs, i, error);
    }
    for (size_t i = 0; i < BE_COUNT(kinds) && !status; i++) {
        if (kinds[i].ending) {
            status = check_drawn(kinds[i].option, output_of(outputs, i)->file, kinds[i].ending,
                                 kinds[i].name, error);
        }
    }
    for (size_t i = 0; i < BE_COUNT(kinds) && !status; i++) {
        struct be_cli_output *output = output_of(outputs, i);
        status = output->file || !is_beside_text(i) ? open_one(output, error) : BE_OK;
    }
    return status;
}

static enum be_status write_converted(struct be_cli_output *output, enum be_format format,
                                      be_cli_writer *write, const void *results,
                                      struct be_error *error) {
    FILE *drawing = tmpfile();
    if (!drawing) {
        return be_fail(error, BE_IO, "a temporary file: %s", strerror(errno));
    }
    enum be_status status = write(results, format, drawing, error);
    status = status ? status : be_cli_png_convert(drawing, output->out, error);
    fclose(drawing);
    return status;
}

static enum be_status write_one(struct be_cli_output *output, const struct kind *kind,
                                be_cli_writer *write, const void *results, struct be_error *error) {
    if (!output->out) {
        return BE_OK;
    }
    enum be_status status = kind->converted
                                ? write_converted(output, kind->format, write, results, error)
                                : write(results, kind->format, output->out, error);
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
    enum be_status status = BE_OK;
    bool taken = outputs->no_text;
    for (size_t i = 0; i < BE_COUNT(kinds); i++) {
        taken |= output_of(outputs, i)->out == stdout;
    }
    for (size_t i = 0; i < BE_COUNT(kinds); i++) {
        enum be_status one = write_one(output_of(outputs, i), &kinds[i], write, results,
                                       status == BE_OK ? error : NULL);
        status = status == BE_OK ? one : status;
    }
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

bool be_cli_outputs_drawn(const struct be_cli_outputs *outputs) {
    return outputs->chart.asked || outputs->png.asked;
}

bool be_cli_outputs_chart(const struct be_cli_outputs *outputs) {
    return outputs->chart.asked && !outputs->chart.file;
}

void be_cli_outputs_no_picture(struct be_cli_outputs *outputs) {
    close_one(&outputs->picture);
}

void be_cli_outputs_close(struct be_cli_outputs *outputs) {
    for (size_t i = 0; i < BE_COUNT(kinds); i++) {
        close_one(output_of(outputs, i));
    }
}
