/* Texts of the kernel -> numbers. */
#include "observe/process/proc_text.h"

#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

enum { FILE_PATH = 4200 };

int be_small_file(char *text, size_t capacity, const char *format, ...) {
    char path[FILE_PATH];
    va_list list;
    va_start(list, format);
    int length = vsnprintf(path, sizeof path, format, list);
    va_end(list);
    text[0] = '\0';
    if (length < 0 || (size_t)length >= sizeof path) {
        return -1;
    }
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) {
        return -1;
    }
    size_t got = 0;
    ssize_t part = 1;
    while (got < capacity - 1 && (part = read(file, text + got, capacity - 1 - got)) > 0) {
        got += (size_t)part;
    }
    close(file);
    text[got] = '\0';
    return part < 0 && !got ? -1 : (int)got;
}

/* Numbers separated by blanks into value[0 .. count - 1]; how many there were. */
static int numbers(const char *text, double *value, int count) {
    int found = 0;
    for (char *end; found < count; text = end) {
        value[found] = (double)strtoll(text, &end, 10);
        if (end == text) {
            break;
        }
        found++;
    }
    return found;
}

bool be_proc_stat_read(const char *text, struct be_proc_stat *stat) {
    /* The name is in brackets and may hold brackets itself: it ends at the last one. */
    const char *open = strchr(text, '(');
    const char *close = strrchr(text, ')');
    if (!open || !close || close < open || close[1] != ' ' || !close[2]) {
        return false;
    }
    *stat = (struct be_proc_stat){.pid = atoi(text), .state = close[2]};
    size_t length = (size_t)(close - open - 1);
    length = length < sizeof stat->name - 1 ? length : sizeof stat->name - 1;
    memcpy(stat->name, open + 1, length);
    /* Field 4 of proc(5) is the first here. */
    double value[21];
    if (numbers(close + 3, value, (int)BE_COUNT(value)) < (int)BE_COUNT(value)) {
        return false;
    }
    stat->parent = (int)value[0];
    stat->minor_faults = value[6];
    stat->child_minor_faults = value[7];
    stat->major_faults = value[8];
    stat->child_major_faults = value[9];
    stat->user = value[10];
    stat->system = value[11];
    stat->child_user = value[12];
    stat->child_system = value[13];
    stat->threads = (int)value[16];
    stat->start = value[18];
    stat->resident = value[20];
    return true;
}

bool be_schedstat_read(const char *text, struct be_schedstat *stat) {
    double value[3];
    if (numbers(text, value, 3) < 3) {
        return false;
    }
    *stat = (struct be_schedstat){.run_ns = value[0], .wait_ns = value[1], .slices = value[2]};
    return true;
}

double be_named_value(const char *text, const char *name) {
    size_t length = strlen(name);
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, name, length) == 0 && line[length] && strchr(" \t:", line[length])) {
            const char *number = line + length + strspn(line + length, " \t:");
            char *end;
            double value = strtod(number, &end);
            return end == number ? NAN : value;
        }
    }
    return NAN;
}

double be_pressure_total(const char *text) {
    const char *some = strncmp(text, "some ", 5) == 0 ? text : NULL;
    const char *total = some ? strstr(some, "total=") : NULL;
    const char *end = some ? strchr(some, '\n') : NULL;
    return total && (!end || total < end) ? 1e-6 * strtod(total + 6, NULL) : NAN;
}

double be_group_limit(const char *text) {
    char *end;
    double limit = strtod(text, &end);
    return end == text || limit <= 0 || limit >= 0x1p60 ? NAN : limit;
}

/* Is `word` one of those that commas separate in the first `length` bytes of `list`? */
static bool has_word(const char *list, size_t length, const char *word) {
    size_t wanted = strlen(word);
    for (size_t at = 0; at <= length;) {
        size_t part = 0;
        while (at + part < length && list[at + part] != ',') {
            part++;
        }
        if (part == wanted && strncmp(list + at, word, wanted) == 0) {
            return true;
        }
        at += part + 1;
    }
    return false;
}

bool be_group_path(const char *text, const char *controller, char *path, size_t capacity) {
    for (const char *line = text; line && *line; line = strchr(line, '\n')) {
        line += *line == '\n';
        const char *names = strchr(line, ':');
        const char *where = names ? strchr(names + 1, ':') : NULL;
        if (!where) {
            return false;
        }
        names++;
        if (has_word(names, (size_t)(where - names), controller)) {
            size_t length = strcspn(where + 1, "\n");
            length = length < capacity - 1 ? length : capacity - 1;
            memcpy(path, where + 1, length);
            path[length] = '\0';
            return true;
        }
    }
    return false;
}

int be_cpus_a_node(const char *text) {
    long cpus = strtol(text, NULL, 10);
    return cpus > 0 && cpus < 1000000 ? (int)cpus : 0;
}

/* ---- environments ---------------------------------------------------------------------------- */

enum { ENVIRONMENT_MAX = 128 << 10 };

const char *be_variable(const char *const *environment, const char *name) {
    size_t length = strlen(name);
    for (int i = 0; environment && environment[i]; i++) {
        if (strncmp(environment[i], name, length) == 0 && environment[i][length] == '=') {
            return environment[i] + length + 1;
        }
    }
    return NULL;
}

const char **be_process_environment(const char *files, pid_t pid) {
    char *text = malloc(ENVIRONMENT_MAX);
    int length =
        text ? be_small_file(text, ENVIRONMENT_MAX, "%s/proc/%d/environ", files, (int)pid) : -1;
    if (length <= 0) {
        free(text);
        return NULL;
    }
    size_t count = 0;
    for (int i = 0; i <= length; i++) { /* it is terminated beyond its length */
        count += text[i] == '\0';
    }
    const char **list = malloc((count + 1) * sizeof *list + (size_t)length + 1);
    if (list) {
        char *copy = memcpy((char *)(list + count + 1), text, (size_t)length + 1);
        count = 0;
        for (int at = 0; at < length; at += (int)strlen(copy + at) + 1) {
            list[count++] = copy + at;
        }
        list[count] = NULL;
    }
    free(text);
    return list;
}
