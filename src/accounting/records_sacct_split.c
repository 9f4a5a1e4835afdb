/*
 * A line of sacct -> fields. The mark between them may stand in texts that people write, in lists (a comma), or
 * within quotes.
 */
#include "accounting/records_sacct.h"

/* ---- marks within quotes and brackets ------------------------------------------------------- */

/* The end of the field that begins at `at`: its mark, or the end of the line. NULL: it ends within quotes. */
static const char *field_end(const struct be_sacct *s, const char *at, const char *end) {
    int open = 0;
    if (s->quoted && at < end && *at == '"') {
        for (at++; at < end && (*at != '"' || (at + 1 < end && at[1] == '"')); at++) {
            at += *at == '"'; /* two are one */
        }
        if (at >= end) {
            return NULL;
        }
    }
    for (; at < end && (*at != s->mark || open > 0); at++) {
        /* Numbers of tasks and of nodes, "7_[1-3,9]", have commas of their own. */
        open += s->mark == ',' && *at == '[' ? 1 : s->mark == ',' && *at == ']' && open ? -1 : 0;
    }
    return at;
}

static struct be_slice without_quotes(const char *text, const char *end) {
    const bool quoted = end - text >= 2 && *text == '"' && end[-1] == '"';
    return (struct be_slice){text + quoted, (uint32_t)(end - text) - 2 * quoted};
}

int be_sacct_split(const struct be_sacct *s, struct be_slice line, struct be_slice *field) {
    if (!s->quoted && s->mark != ',') {
        return be_lines_split(line, s->mark, field, BE_COLUMNS_MAX);
    }
    const char *at = line.text, *end = line.text + line.length;
    int count = 0;
    for (;;) {
        const char *stop = field_end(s, at, end);
        if (!stop) {
            return -1;
        }
        if (count < BE_COLUMNS_MAX) {
            field[count] =
                s->quoted ? without_quotes(at, stop) : (struct be_slice){at, (uint32_t)(stop - at)};
        }
        count++;
        if (stop == end) {
            return count;
        }
        at = stop + 1;
    }
}

/* ---- lists with commas ---------------------------------------------------------------------- */

static uint32_t key_length(struct be_slice piece) {
    const char *equals = memchr(piece.text, '=', piece.length);
    return equals ? (uint32_t)(equals - piece.text) : 0;
}

/* Does this piece go on the list that begins with `first`? Where its first key comes again another list begins. */
static bool goes_on(struct be_slice first, struct be_slice piece) {
    const uint32_t length = key_length(first), other = key_length(piece);
    return length && other && (length != other || memcmp(first.text, piece.text, length) != 0);
}

int be_sacct_join_lists(const struct be_sacct *s, struct be_slice *field, int count) {
    int extra = count - s->count, to = 0;
    if (s->mark != ',' || count > BE_COLUMNS_MAX) {
        return count;
    }
    for (int from = 0; from < count; to++) {
        struct be_slice piece = field[from++], first = piece;
        while (to < s->count && s->list[to] && extra > 0 && from < count &&
               goes_on(first, field[from])) {
            const char *end = field[from].text + field[from].length;
            piece.length = (uint32_t)(end - piece.text);
            from++;
            extra--;
        }
        field[to] = piece;
    }
    return to;
}

/* ---- marks in free text --------------------------------------------------------------------- */

void be_sacct_arrange(const struct be_sacct *s, const struct be_slice *field, const int *give,
                      struct be_slice *to) {
    int from = 0, k = 0;
    for (int i = 0; i < s->count; i++) {
        to[i] = field[from++];
        if (k < s->frees && i == s->free[k]) {
            from += give[k++];
        }
    }
}

/* In the order in which the first columns get all, then all but one: most often one text has them. */
bool be_sacct_give_next(int *give, int frees) {
    int k = frees - 2;
    while (k >= 0 && give[k] == 0) {
        k--;
    }
    if (k < 0) {
        return false;
    }
    const int last = give[frees - 1];
    give[frees - 1] = 0;
    give[k]--;
    give[k + 1] = last + 1;
    return true;
}
