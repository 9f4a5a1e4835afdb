#include "screen.h"

#include <stdio.h>

bool be_fits_screen(const struct be_text *shown, bool ascii) {
    int column = 0;
    size_t i = 0;
    while (i < shown->length) {
        const char sign = shown->data[i];
        size_t length = be_utf8_length(shown->data + i);
        bool line = sign == '\n', control = (unsigned char)sign < ' ' || sign == 0x7F;
        column = line ? 0 : column + 1;
        if (column > 80 || !length || (ascii && length > 1) || (control && !line)) {
            fprintf(stderr, "%s\n", shown->data);
            return false;
        }
        i += length;
    }
    return true;
}
