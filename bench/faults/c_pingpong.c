/* Two processes that send each other a number, and wait for the answer; with an argument so many numbers at a
 * time. Each adds up what it gets. */
#include <sys/wait.h>
#include <unistd.h>

#include "burn.h"

enum { MOST = 8192 };

static double total;

/* Adds up what comes; false: there is no more. */
static int add(int file, double *number, ssize_t bytes) {
    for (ssize_t got = 0, part; got < bytes; got += part) {
        part = read(file, (char *)number + got, (size_t)(bytes - got));
        if (part <= 0) {
            return 0;
        }
    }
    for (ssize_t i = 0; i < bytes / (ssize_t)sizeof *number; i++) {
        total += number[i];
    }
    return 1;
}

int main(int count, char **words) {
    int to[2], back[2], each = count > 1 ? atoi(words[1]) : 1;
    static double number[MOST] = {1};
    double pieces = 0;
    ssize_t bytes = (ssize_t)sizeof *number * each;
    if (each < 1 || each > MOST || pipe(to) != 0 || pipe(back) != 0) {
        return 1;
    }
    pid_t child = fork();
    if (child == 0) {
        close(to[1]);
        while (add(to[0], number, bytes) && write(back[1], number, (size_t)bytes) == bytes) {
        }
        _exit(0);
    }
    close(to[0]);
    for (double end = now() + seconds(); now() < end; pieces += each) {
        if (write(to[1], number, (size_t)bytes) != bytes || !add(back[0], number, bytes)) {
            return 1;
        }
    }
    close(to[1]);
    say(pieces);
    return waitpid(child, NULL, 0) == child && total > 0 ? 0 : 1;
}
