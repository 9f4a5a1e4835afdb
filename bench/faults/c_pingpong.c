/* Two processes that send each other a number, and wait for the answer; with an argument so many numbers at a
 * time. Each adds up what it gets. */
#include <sys/wait.h>
#include <unistd.h>

#include "burn.h"

enum { MOST = 512 }; /* a message goes into a pipe at once */

static double total;

static ssize_t add(const double *number, ssize_t bytes) {
    for (ssize_t i = 0; i < bytes / (ssize_t)sizeof *number; i++) {
        total += number[i];
    }
    return bytes;
}

int main(int count, char **words) {
    int to[2], back[2], each = count > 1 ? atoi(words[1]) : 1;
    double number[MOST] = {1}, pieces = 0;
    ssize_t bytes = (ssize_t)sizeof *number * each;
    if (each < 1 || each > MOST || pipe(to) != 0 || pipe(back) != 0) {
        return 1;
    }
    pid_t child = fork();
    if (child == 0) {
        close(to[1]);
        while (add(number, read(to[0], number, (size_t)bytes)) == bytes &&
               write(back[1], number, (size_t)bytes) == bytes) {
        }
        _exit(0);
    }
    close(to[0]);
    for (double end = now() + seconds(); now() < end; pieces += 100 * each) {
        for (int i = 0; i < 100; i++) {
            if (write(to[1], number, (size_t)bytes) != bytes ||
                add(number, read(back[0], number, (size_t)bytes)) != bytes) {
                return 1;
            }
        }
    }
    close(to[1]);
    say(pieces);
    return waitpid(child, NULL, 0) == child && total > 0 ? 0 : 1;
}
