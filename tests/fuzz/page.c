#include "page.h"

#include <stdio.h>
#include <string.h>

/* Is there a number that is none between `tag` and its end? Words of a description may have any letters. */
static bool has_numbers(const char *tag, size_t length) {
    static const char *const drawn[] = {"<path", "<rect", "<circle", "<text "};
    bool is = false;
    for (size_t i = 0; i < sizeof drawn / sizeof *drawn; i++) {
        is |= strncmp(tag, drawn[i], strlen(drawn[i])) == 0;
    }
    for (size_t i = 0; is && i + 3 <= length; i++) {
        if (strncmp(tag + i, "nan", 3) == 0 || strncmp(tag + i, "inf", 3) == 0) {
            return false;
        }
    }
    return true;
}

static bool lost(const char *at) {
    fprintf(stderr, "%.200s\n", at);
    return false;
}

bool be_is_page(const struct be_text *page) {
    const char *tag = NULL;
    for (size_t i = 0; i < page->length; i++) {
        const char *at = page->data + i;
        if ((unsigned char)*at < ' ' && *at != '\n') {
            return lost(at);
        }
        if (*at == '<' && (tag || strncmp(at, "<script", 7) == 0)) {
            return lost(tag ? tag : at);
        }
        if (*at == '>' && tag && !has_numbers(tag, (size_t)(at - tag))) {
            return lost(tag);
        }
        tag = *at == '<' ? at : *at == '>' ? NULL : tag;
    }
    return !page->failed && (!tag || lost(tag));
}
