#include "fuzz.h"

#include <stdlib.h>

FILE *be_fuzz_open(const struct be_text *text) {
    FILE *in = fmemopen(text->data, text->length, "r");
    if (!in) {
        fprintf(stderr, "%s: fmemopen failed\n", be_fuzzed.name);
        exit(2);
    }
    return in;
}
