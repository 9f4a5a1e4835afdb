/* A process for each of many short tasks, as a shell loop does; with an argument one process has so many
 * of them. */
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

#include "burn.h"

extern char **environ;

int main(int count, char **words) {
    enum { MOST = 1000 };
    int each = count > 1 ? atoi(words[1]) : 1;
    char *task[MOST + 2] = {"printf", "%s"};
    double pieces = 0;
    for (int i = 0; i < each && i < MOST - 2; i++) {
        task[2 + i] = "task";
    }
    posix_spawn_file_actions_t quiet;
    posix_spawn_file_actions_init(&quiet);
    posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
    for (double end = now() + seconds(); now() < end; pieces += each) {
        pid_t pid;
        if (posix_spawn(&pid, "/usr/bin/printf", &quiet, NULL, task, environ) != 0 ||
            waitpid(pid, NULL, 0) != pid) {
            return 1;
        }
    }
    posix_spawn_file_actions_destroy(&quiet);
    say(pieces);
    return 0;
}
