/* Children from before there was a command. */
#include "cli/run/earlier.h"

#include <errno.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "observe/process/proc_own.h"

void be_earlier_begin(struct be_earlier *earlier) {
    siginfo_t child;
    getrusage(RUSAGE_CHILDREN, &earlier->used);
    earlier->any =
        waitid(P_ALL, 0, &child, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        be_proc_numbers().self == getpid(); /* what /proc says of a child is of that child */
}

void be_earlier_until(struct be_earlier *earlier, pid_t first) {
    struct be_proc_stat stat;
    earlier->since = earlier->any && be_grown_stat("", first, &stat) ? stat.start : 0;
}

bool be_earlier_has(const struct be_earlier *earlier, pid_t pid, double grown[BE_GROWNS]) {
    struct be_proc_stat stat;
    if (!earlier->any || !be_grown_stat("", pid, &stat) || !(stat.start < earlier->since)) {
        return false;
    }
    be_grown_count(&stat, true, grown);
    be_grown_io("", pid, grown);
    return true;
}

void be_earlier_add(struct be_earlier *earlier, const struct rusage *used) {
    struct rusage *all = &earlier->used;
    timeradd(&all->ru_utime, &used->ru_utime, &all->ru_utime);
    timeradd(&all->ru_stime, &used->ru_stime, &all->ru_stime);
    all->ru_maxrss = used->ru_maxrss > all->ru_maxrss ? used->ru_maxrss : all->ru_maxrss;
    all->ru_minflt += used->ru_minflt;
    all->ru_majflt += used->ru_majflt;
    all->ru_nvcsw += used->ru_nvcsw;
    all->ru_nivcsw += used->ru_nivcsw;
}

/* The largest process of all is the command's if it is larger than theirs. */
void be_earlier_leave_out(const struct be_earlier *earlier, struct rusage *used) {
    const struct rusage *theirs = &earlier->used;
    timersub(&used->ru_utime, &theirs->ru_utime, &used->ru_utime);
    timersub(&used->ru_stime, &theirs->ru_stime, &used->ru_stime);
    used->ru_maxrss = used->ru_maxrss > theirs->ru_maxrss ? used->ru_maxrss : 0;
    used->ru_minflt -= theirs->ru_minflt;
    used->ru_majflt -= theirs->ru_majflt;
    used->ru_nvcsw -= theirs->ru_nvcsw;
    used->ru_nivcsw -= theirs->ru_nivcsw;
}
