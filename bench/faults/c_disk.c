/* Writes small pieces and waits for the disk after each. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "burn.h"

int main(void) {
    char piece[4096];
    FILE *file = tmpfile();
    if (!file) {
        return 1;
    }
    memset(piece, 1, sizeof piece);
    for (double end = now() + seconds(); now() < end;) {
        if (fwrite(piece, sizeof piece, 1, file) != 1 || fflush(file) || fsync(fileno(file))) {
            return 1;
        }
        rest(0.002);
    }
    return fclose(file) ? 1 : 0;
}
