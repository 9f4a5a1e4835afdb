/* Takes as many MB as its argument says, and works with all its cores. */
#include <stdlib.h>
#include <string.h>

#include "threads.h"

static void *work(void *context) {
    burn(seconds());
    return context;
}

int main(int words, char **word) {
    size_t bytes = (size_t)(words > 1 ? atoi(word[1]) : 16) << 20;
    char *memory = malloc(bytes);
    if (!memory) {
        return 1;
    }
    memset(memory, 1, bytes);
    int status = run_threads(2, work);
    status += memory[bytes / 2] != 1;
    free(memory);
    return status;
}
