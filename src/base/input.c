#include "base/input.h"

#include <errno.h>
#include <string.h>

#include "base/error.h"

enum be_status be_input_open(const char *name, FILE **in, struct be_error *error) {
    *in = fopen(name, "re");
    return *in ? BE_OK : be_fail(error, BE_IO, "%s: %s", name, strerror(errno));
}

enum be_status be_input_open_any(const char *name, FILE **in, struct be_error *error) {
    *in = stdin;
    return strcmp(name, "-") == 0 ? BE_OK : be_input_open(name, in, error);
}

void be_input_close(FILE *in) {
    if (in != stdin) {
        fclose(in);
    }
}
