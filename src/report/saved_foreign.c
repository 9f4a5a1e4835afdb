/* Files of ours that say too little to be read again: tables for people and for spreadsheets. */
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "report/saved.h"

/* Those that `breakeven run` kept have their path in the report. */
#define ASK_TRACE                                                                                  \
    "give the trace: `breakeven report` without a name takes the one written last, and "           \
    "`breakeven run --trace-file=FILE` says where"
#define ASK_COMPARISON "give the file that `breakeven compare --json=FILE` wrote"
#define ASK_PROFILE "give the file that `breakeven probe --output=FILE` wrote"

static const struct {
    const char *within; /* the first lines, which begin so or have it */
    bool begins;
    const char *is, *give;
} kinds[] = {
    {"{\"schema\":\"breakeven/1\",\"command\":\"watch\"", true, "lines of `breakeven watch --json`",
     "give the trace that `breakeven watch --output=FILE` kept"},
    {"end_s,cpu_busy,", true, "the CSV of a trace", ASK_TRACE},
    {"workload,title,variant,", true, "the CSV of a comparison", ASK_COMPARISON},
    {"device,what,dtype,threads,", true, "the CSV of a profile", ASK_PROFILE},
    {"device,device_b,what,", true, "the CSV of two profiles", ASK_PROFILE},
    {"\nCPU      ", false, "the report of a run, as text", ASK_TRACE},
    {"\nmemory   ", false, "the report of a run, as text", ASK_TRACE},
    {": ceilings of this machine, ", false, "a profile as text", ASK_PROFILE},
    {": DATA SHEET, nobody measured ", false, "a profile as text", ASK_PROFILE},
    {"\n                                        a   ", false, "two profiles as text", ASK_PROFILE},
    {"stays ahead of the best CPU", false, "a comparison as text", ASK_COMPARISON},
    {"stays ahead of the CPU here", false, "a comparison as text", ASK_COMPARISON},
    {"--- CPU ---", false, "a comparison as text", ASK_COMPARISON},
};

/* The last line "trace    /home/me/..." of a report, which may stand below what the command wrote. */
static bool find_trace(const char *text, char path[BE_NOTE]) {
    static const char mark[] = "trace    /";
    bool found = false;
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        size_t length = strcspn(line, "\r\n");
        size_t from = sizeof mark - 2;
        if (strncmp(line, mark, sizeof mark - 1) == 0 && length - from < BE_NOTE) {
            be_copy_text(path, length - from + 1, line + from);
            found = true;
        }
    }
    return found;
}

bool be_saved_is_foreign(const char *text, const char *name, struct be_error *error) {
    char path[BE_NOTE], head[4096];
    be_copy_text(head, sizeof head, text);
    if (text[strspn(text, " \t\r\n")] != '{' && find_trace(text, path)) {
        be_fail(error, BE_USAGE,
                access(path, R_OK) == 0
                    ? "%s: is text with the report of a run. Its trace: breakeven report %s"
                    : "%s: is text with the report of a run. Its trace was %s, which is not here: "
                      "give it where it is",
                name, path);
        return true;
    }
    for (size_t i = 0; i < BE_COUNT(kinds); i++) {
        const char *at = strstr(head, kinds[i].within);
        if (at && (!kinds[i].begins || at == head) && (kinds[i].begins || head[0] != '{')) {
            be_fail(error, BE_USAGE, "%s: is %s, which does not have all of it: %s", name,
                    kinds[i].is, kinds[i].give);
            return true;
        }
    }
    return false;
}
