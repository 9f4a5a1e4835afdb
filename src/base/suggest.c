#include "base/suggest.h"

#include <ctype.h>
#include <string.h>

enum { NAME_MAX_LENGTH = 32 };

static bool differ(char a, char b) {
    return tolower((unsigned char)a) != tolower((unsigned char)b);
}

static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length) {
    size_t row[3][NAME_MAX_LENGTH + 1] = {0};
    for (size_t j = 0; j <= b_length; j++) {
        row[1][j] = j;
    }
    for (size_t i = 1; i <= a_length; i++) {
        row[2][0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            size_t min = row[1][j - 1] + differ(a[i - 1], b[j - 1]);
            min = row[1][j] + 1 < min ? row[1][j] + 1 : min;
            min = row[2][j - 1] + 1 < min ? row[2][j - 1] + 1 : min;
            if (i > 1 && j > 1 && !differ(a[i - 1], b[j - 2]) && !differ(a[i - 2], b[j - 1])) {
                min = row[0][j - 2] + 1 < min ? row[0][j - 2] + 1 : min;
            }
            row[2][j] = min;
        }
        memcpy(row[0], row[1], sizeof row[0]);
        memcpy(row[1], row[2], sizeof row[0]);
    }
    return row[1][b_length];
}

size_t be_near_limit(size_t length) {
    if (length == 0 || length > NAME_MAX_LENGTH) {
        return 0;
    }
    return (length < 5 ? 1 : length / 3) + 1;
}

bool be_is_nearer(const char *name, size_t length, const char *known, size_t *min) {
    const size_t own = strlen(known), apart = own > length ? own - length : length - own;
    /* No name is nearer than its length is. */
    if (apart >= *min || own > NAME_MAX_LENGTH || length > NAME_MAX_LENGTH) {
        return false;
    }
    const size_t off = distance(name, length, known, own);
    const bool nearer = off < *min;
    *min = nearer ? off : *min;
    return nearer;
}
