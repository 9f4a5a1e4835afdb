/* A process a core. */
#include <sys/wait.h>
#include <unistd.h>

#include "burn.h"

int main(void) {
    for (int i = 0; i < 2; i++) {
        if (fork() == 0) {
            burn(seconds());
            _exit(0);
        }
    }
    while (wait(NULL) > 0) {
    }
    return 0;
}
