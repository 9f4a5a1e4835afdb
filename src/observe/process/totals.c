/* The resources that a process and its children have used. */
#include "observe/process/totals.h"

#include <math.h>
#include <unistd.h>

bool be_grown_stat(const char *files, int pid, struct be_proc_stat *stat) {
    char text[1024];
    return be_small_file(text, sizeof text, "%s/proc/%d/stat", files, pid) > 0 &&
           be_proc_stat_read(text, stat);
}

void be_grown_count(const struct be_proc_stat *stat, bool own, double grown[BE_GROWNS]) {
    const double a = own ? 1 : 0, ticks_a_s = (double)sysconf(_SC_CLK_TCK);
    grown[BE_GROWN_USER] = (a * stat->user + stat->child_user) / ticks_a_s;
    grown[BE_GROWN_SYSTEM] = (a * stat->system + stat->child_system) / ticks_a_s;
    grown[BE_GROWN_MINOR] = a * stat->minor_faults + stat->child_minor_faults;
    grown[BE_GROWN_MAJOR] = a * stat->major_faults + stat->child_major_faults;
}

void be_grown_io(const char *files, int pid, double grown[BE_GROWNS]) {
    char text[512];
    bool there = be_small_file(text, sizeof text, "%s/proc/%d/io", files, pid) > 0;
    grown[BE_GROWN_READ] = there ? be_named_value(text, "read_bytes") : NAN;
    grown[BE_GROWN_WRITTEN] = there ? be_named_value(text, "write_bytes") : NAN;
    grown[BE_GROWN_READ_CALLS] = there ? be_named_value(text, "rchar") : NAN;
    grown[BE_GROWN_WRITE_CALLS] = there ? be_named_value(text, "wchar") : NAN;
}
