#include "cli/run/report.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/common/output.h"
#include "cli/common/trace_files.h"
#include "report/trace/trace.h"

/* At once: of tasks that share a standard error, each has its report in one piece. */
static enum be_status write_report(const struct be_trace *trace, const char *kept, FILE *out,
                                   struct be_error *error) {
    char *text = NULL;
    size_t length = 0;
    FILE *whole = open_memstream(&text, &length);
    enum be_status status = whole ? be_trace_write(trace, BE_TEXT, whole, error) : BE_NOMEM;
    if (status == BE_OK && kept) {
        fprintf(whole, "trace    %s\n", kept);
    }
    if ((whole && fclose(whole) != 0) || status == BE_NOMEM) {
        status = be_fail(error, BE_NOMEM, "write results: out of memory");
    }
    if (status == BE_OK && (fwrite(text, 1, length, out) != length || fflush(out) != 0)) {
        status = be_fail(error, BE_IO, "write results: %s", strerror(errno));
    }
    free(text);
    return status;
}

enum be_status be_run_output_choose(struct be_run_output *to, struct be_error *error) {
    to->file = to->path ? be_cli_own_file(to->path) : -1;
    if (!to->path) {
        return BE_OK;
    }
    if (to->file < 0) {
        return be_trace_file_try(to->path, error);
    }
    return (fcntl(to->file, F_GETFL) & O_ACCMODE) != O_RDONLY
               ? BE_OK
               : be_fail(error, BE_IO, "%s: cannot be written: it is open for reading", to->path);
}

FILE *be_run_output_open(const struct be_run_output *to) {
    if (to->file < 0) {
        return fopen(to->path, "we");
    }
    int copy = fcntl(to->file, F_DUPFD_CLOEXEC, 3);
    FILE *out = copy >= 0 ? fdopen(copy, "w") : NULL;
    if (!out && copy >= 0) {
        close(copy);
    }
    return out;
}

enum be_status be_run_output_close(const struct be_run_output *to, FILE *out, enum be_status status,
                                   struct be_error *error) {
    return (out && fclose(out) == 0) || status != BE_OK
               ? status
               : be_fail(error, BE_IO, "%s: cannot be written: %s", to->path, strerror(errno));
}

/* A descriptor of ours gets one trace, the last. */
static enum be_status write_as(const struct be_run_output *to, enum be_format format,
                               const struct be_trace *trace, struct be_error *error) {
    if (!to->path) {
        return BE_OK;
    }
    if (format == BE_JSON && to->file < 0) {
        return be_trace_file_save(trace, to->path, error);
    }
    if (to->file >= 0 && trace->end == BE_END_RUNNING) {
        return BE_OK;
    }
    FILE *out = be_run_output_open(to);
    enum be_status status = out ? be_trace_write(trace, format, out, error) : BE_OK;
    if (status != BE_OK) {
        be_context(error, "%s", to->path);
    }
    return be_run_output_close(to, out, status, error);
}

/* All are tried; the first error is the one that is told. */
static enum be_status write_others(const struct be_run_options *options,
                                   const struct be_trace *trace, struct be_error *error) {
    const struct {
        const struct be_run_output *to;
        enum be_format format;
    } other[] = {{&options->json, BE_JSON}, {&options->html, BE_HTML}, {&options->svg, BE_SVG}};
    enum be_status status = BE_OK;
    for (size_t i = 0; i < BE_COUNT(other); i++) {
        const enum be_status one =
            write_as(other[i].to, other[i].format, trace, status == BE_OK ? error : NULL);
        status = status == BE_OK ? one : status;
    }
    return status;
}

static enum be_status write_output(const struct be_run_output *to, const char *kept,
                                   const struct be_trace *trace, struct be_error *error) {
    FILE *out = be_run_output_open(to);
    enum be_status status = out ? write_report(trace, kept, out, error) : BE_OK;
    if (status != BE_OK) {
        be_context(error, "%s", to->path);
    }
    return be_run_output_close(to, out, status, error);
}

/* The command may have left a line of its own without an end. In a file its last byte tells. */
static void leave_line_of_file(const struct stat *there) {
    char last = '\n';
    off_t at = lseek(STDERR_FILENO, 0, SEEK_CUR);
    int flags = fcntl(STDERR_FILENO, F_GETFL);
    int file = open("/proc/self/fd/2", O_RDONLY | O_CLOEXEC); /* ours may be for writing only */
    at = flags >= 0 && (flags & O_APPEND) ? there->st_size : at;
    if (file >= 0 && at > 0 && pread(file, &last, 1, at - 1) == 1 && last != '\n') {
        fputc('\n', stderr);
    }
    if (file >= 0) {
        close(file);
    }
}

/* A terminal does not tell where its cursor is without an answer on its input, which is the command's. As many
 * blanks as it has columns, then: from the start of a line they end in that line, from elsewhere in the next one. */
static void leave_line_of_terminal(void) {
    struct winsize size;
    const char *term = getenv("TERM");
    if (!term || !*term || strcmp(term, "dumb") == 0 ||
        ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) {
        return;
    }
    fprintf(stderr, "%*s\r\033[K", (int)size.ws_col, "");
}

void be_run_leave_line(const struct be_trace *trace) {
    struct stat there;
    if (!isatty(STDERR_FILENO)) {
        if (fstat(STDERR_FILENO, &there) == 0 && S_ISREG(there.st_mode)) {
            leave_line_of_file(&there);
        }
    } else if (trace->end == BE_END_KILLED && trace->code == SIGINT) {
        fputc('\n', stderr); /* below the ^C that the terminal shows */
    } else {
        leave_line_of_terminal();
    }
}

enum be_status be_run_report(const struct be_run_options *options, const char *kept,
                             const struct be_trace *trace, struct be_error *error) {
    enum be_status text = BE_OK, status = write_others(options, trace, error);
    struct be_error *next = status == BE_OK ? error : NULL;
    if (options->output.path) {
        text = write_output(&options->output, kept, trace, next);
    }
    if ((!options->output.path || text != BE_OK) && !options->quiet) {
        be_run_leave_line(trace);
        enum be_status shown = write_report(trace, kept, stderr, text == BE_OK ? next : NULL);
        text = text == BE_OK ? shown : text;
    }
    return status == BE_OK ? text : status;
}
