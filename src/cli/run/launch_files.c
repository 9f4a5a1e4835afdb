/* Files that were the command's to begin with, and none of ours. */
#include <fcntl.h>
#include <limits.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cli/run/launch.h"

/* Older C libraries have no close_range, older kernels do not know it. */
static void close_files(int first, int last) {
    if (first > last || syscall(SYS_close_range, (unsigned)first, (unsigned)last, 0U) == 0) {
        return;
    }
    long max = sysconf(_SC_OPEN_MAX);
    for (int i = first; i <= last && i < (max > 0 ? max : 1024); i++) {
        close(i);
    }
}

/* Our ends of the command's files would keep pipes open that it has closed. */
void be_launch_let_go(const int *kept, int count, bool keep_stderr) {
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int i = 0; nothing >= 0 && i < (keep_stderr ? 2 : 3); i++) {
        dup2(nothing, i);
    }
    for (int from = 3; from < INT_MAX;) {
        int next = INT_MAX;
        for (int i = 0; i < count; i++) {
            next = kept[i] >= from && kept[i] < next ? kept[i] : next;
        }
        close_files(from, next - 1);
        from = next < INT_MAX ? next + 1 : next;
    }
}
