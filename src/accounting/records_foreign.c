/*
 * Files that people have and that are no accounting of Slurm's: what each is, and what to do with it.
 */
#include <ctype.h>

#include "accounting/records.h"
#include "base/error.h"

/* Packed, or of another alphabet. */
static const struct {
    const char *begin;
    size_t length;
    const char *what, *unpack;
} packed[] = {
    {"\xfd"
     "7zXZ",
     5, "compressed by xz", "xz -dc"},
    {"\x28\xb5\x2f\xfd", 4, "compressed by zstd", "zstd -dc"},
    {"BZh", 3, "compressed by bzip2", "bzip2 -dc"},
    {"\x04\x22\x4d\x18", 4, "compressed by lz4", "lz4 -dc"},
    {"PK\x03\x04", 4, "a zip archive", "unzip -p"},
    {"\xff\xfe", 2, "UTF-16", "iconv -f UTF-16 -t UTF-8"},
    {"\xfe\xff", 2, "UTF-16", "iconv -f UTF-16 -t UTF-8"},
};

/* Does the line look like this? 9: a digit, A: a capital letter; other signs stand for themselves. */
static bool like(struct be_slice line, const char *form) {
    size_t length = strlen(form);
    for (size_t i = 0; i < length; i++) {
        const char c = i < line.length ? line.text[i] : '\0';
        const bool fits = form[i] == '9'   ? isdigit((unsigned char)c)
                          : form[i] == 'A' ? isupper((unsigned char)c)
                                           : c == form[i];
        if (!fits) {
            return false;
        }
    }
    return true;
}

static int marks(struct be_slice line, char mark) {
    int count = 0;
    for (uint32_t i = 0; i < line.length; i++) {
        count += line.text[i] == mark;
    }
    return count;
}

/* The scheduler whose log has such lines; NULL: none that is known. */
static const char *scheduler_of(struct be_slice line) {
    const int sge_fields = 30; /* accounting(5) of Grid Engine: 43 and more, with colons between */
    return like(line, "99/99/9999 99:99:99;A;") ? "of PBS or Torque (server_priv/accounting)"
           : like(line, "\"JOB_") || like(line, "\"EVENT_") ? "of LSF (lsb.acct)"
           : marks(line, ':') >= sge_fields && marks(line, '|') == 0
               ? "of Grid Engine (SGE, accounting)"
           : like(line, "# Version: ")                      ? "of Grid Engine (SGE, accounting)"
           : like(line, "000 (") || like(line, "MyType = ") ? "of HTCondor"
                                                            : NULL;
}

bool be_records_foreign(const char *name, struct be_slice first, struct be_error *error) {
    for (size_t i = 0; i < BE_COUNT(packed); i++) {
        if (first.length >= packed[i].length &&
            memcmp(first.text, packed[i].begin, packed[i].length) == 0) {
            be_fail(error, BE_USAGE, "%s: is %s: `%s FILE | breakeven queue -` reads it", name,
                    packed[i].what, packed[i].unpack);
            return true;
        }
    }
    const char *scheduler = scheduler_of(first);
    if (scheduler) {
        be_fail(error, BE_USAGE,
                "%s: a log %s: what is read is Slurm's (`sacct -P`, CSV, `sacct --json`) and the "
                "Standard Workload Format: write its jobs in that, 18 numbers a line",
                name, scheduler);
        return true;
    }
    if (like(first, "JobId=9") || like(first, "JobId=99")) {
        be_fail(error, BE_USAGE,
                "%s: Slurm's job completion log, or `scontrol show job`: save the accounting with "
                "`sacct -a -X -P`",
                name);
        return true;
    }
    return false;
}
