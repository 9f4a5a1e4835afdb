#include "base/read_all.h"

#include <errno.h>
#include <string.h>

#include "base/error.h"

enum be_status be_whole_read(FILE *in, const char *name, int max_mib, const char *beyond,
                             struct be_text *text, struct be_error *error) {
    const size_t max = (size_t)max_mib << 20;
    char part[1 << 14];
    size_t count = 0;
    while (text->length <= max && (count = fread(part, 1, sizeof part, in)) > 0) {
        be_text_add_bytes(text, part, count);
    }
    if (ferror(in) && errno == EISDIR) {
        return be_fail(error, BE_IO, "%s: is a folder; name a file in it", name);
    }
    return ferror(in)     ? be_fail(error, BE_IO, "read %s: %s", name, strerror(errno))
           : text->failed ? be_fail(error, BE_NOMEM, "read %s: out of memory", name)
           : text->length > max
               ? be_fail(error, BE_USAGE, "%s: has more than %d MiB: %s", name, max_mib, beyond)
               : BE_OK;
}

enum be_status be_whole_json(const struct be_text *text, const char *name, cJSON **root,
                             struct be_error *error) {
    const char *end = text->data;
    const char *last = text->data + text->length;
    int line = 1;
    *root = NULL;
    if (!text->length) {
        return be_fail(error, BE_USAGE, "%s: is empty", name);
    }
    *root = cJSON_ParseWithLengthOpts(text->data, text->length, &end, false);
    while (*root && end < last && *end && strchr(" \t\r\n", *end)) {
        end++;
    }
    if (*root && end == last) {
        return BE_OK;
    }
    for (const char *at = text->data; end && at < end && at < last; at++) {
        line += *at == '\n';
    }
    const bool more = *root != NULL;
    cJSON_Delete(*root);
    *root = NULL;
    return be_fail(error, BE_USAGE, "%s: line %d: %s", name, line,
                   more ? "more text after the end"
                        : "not JSON: damaged, cut short, or a comma or a quote is amiss");
}
