#include "report/common/lines.h"

#include <string.h>

#include "base/error.h"
#include "report/common/printable.h"

static const struct {
    const char *sign, *spelled;
} spelling[] = {
    {"\xc2\xae", "(R)"},     {"\xe2\x84\xa2", "(TM)"}, {"\xc2\xb5", "u"},
    {"\xce\xbc", "u"},       {"\xc2\xb1", "+-"},       {"\xc3\x97", "x"},
    {"\xe2\x80\x93", "-"},   {"\xe2\x80\x94", "-"},    {"\xe2\x80\x98", "'"},
    {"\xe2\x80\x99", "'"},   {"\xe2\x80\x9c", "\""},   {"\xe2\x80\x9d", "\""},
    {"\xe2\x80\xa6", "..."}, {"\xc2\xa0", " "},
};

static const char *spell(const char *sign, size_t length) {
    for (size_t i = 0; i < BE_COUNT(spelling); i++) {
        if (strlen(spelling[i].sign) == length && !memcmp(sign, spelling[i].sign, length)) {
            return spelling[i].spelled;
        }
    }
    return "?";
}

void be_lines_ascii(struct be_text *out, const char *from) {
    while (*from) {
        size_t length = be_utf8_length(from);
        bool plain = *from >= ' ' && *from <= '~';
        if (plain) {
            be_text_add_bytes(out, from, 1);
        } else {
            be_text_add(out, "%s", length == 1 ? " " : spell(from, length));
        }
        from += length ? length : 1;
    }
}

/* Appends one word, on a new line when this one has no room; returns the column after it. A word
 * longer than a line is broken. */
static int place(struct be_text *out, const char *word, size_t bytes, int column, int indent,
                 bool first) {
    int length = be_shown_columns(word, bytes);
    if (!first && column + 1 + length > BE_COLUMNS && column > indent) {
        be_text_add(out, "\n%*s", indent, "");
        column = indent;
    } else if (!first) {
        be_text_add(out, " ");
        column++;
    }
    while (column + length > BE_COLUMNS) {
        size_t part = be_shown_fit(word, bytes, BE_COLUMNS - column);
        be_text_add(out, "%.*s\n%*s", (int)part, word, indent, "");
        word += part;
        bytes -= part;
        length = be_shown_columns(word, bytes);
        column = indent;
    }
    be_text_add(out, "%.*s", (int)bytes, word);
    return column + length;
}

/* Bytes up to the next blank where a line may end: not between a number and its unit. */
static int word_length(const char *at) {
    int length = (int)strcspn(at, " ");
    int number = (int)strspn(at, "0123456789.");
    if (number == length && at[length] == ' ' && at[length + 1] != ' ') {
        length += 1 + (int)strcspn(at + length + 1, " ");
    }
    return length;
}

void be_lines_cell(struct be_text *out, const char *from, int width) {
    struct be_text plain = {0};
    be_lines_ascii(&plain, from);
    be_text_add(out, "%-*.*s", width, width, plain.data ? plain.data : "");
    be_text_free(&plain);
}

static void wrap(struct be_text *out, const char *head, struct be_text plain, int indent) {
    out->failed |= plain.failed;
    be_text_add(out, "%s", head);
    int column = (int)strlen(head);
    bool first = true;
    const char *at = plain.data ? plain.data : "";
    while (*(at += strspn(at, " "))) {
        int length = word_length(at);
        column = place(out, at, (size_t)length, column, indent, first);
        first = false;
        at += length;
    }
    be_text_add(out, "\n");
    be_text_free(&plain);
}

void be_lines_wrap(struct be_text *out, const char *head, const char *words, int indent) {
    struct be_text plain = {0};
    be_lines_ascii(&plain, words);
    wrap(out, head, plain, indent);
}

void be_lines_wrap_shown(struct be_text *out, const char *head, const char *words, int indent) {
    struct be_text shown = {0};
    be_shown_add(&shown, words);
    wrap(out, head, shown, indent);
}
