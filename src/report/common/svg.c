#include "report/common/svg.h"

#include <stddef.h>

void be_svg_escape(struct be_text *out, const char *from) {
    struct be_text clean = {0};
    be_text_add_utf8(&clean, from);
    for (const char *c = clean.data ? clean.data : ""; *c; c++) {
        const char *word = *c == '&'   ? "&amp;"
                           : *c == '<' ? "&lt;"
                           : *c == '>' ? "&gt;"
                           : *c == '"' ? "&quot;"
                                       : NULL;
        if (word) {
            be_text_add(out, "%s", word);
        } else {
            be_text_add_bytes(out, (unsigned char)*c < ' ' ? " " : c, 1);
        }
    }
    out->failed |= clean.failed;
    be_text_free(&clean);
}

void be_svg_label(struct be_text *out, double x, double y, const char *anchor, const char *class,
                  const char *text) {
    be_text_add(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"", x, y, anchor);
    if (class) {
        be_text_add(out, " class=\"%s\"", class);
    }
    be_text_add(out, ">");
    be_svg_escape(out, text);
    be_text_add(out, "</text>\n");
}
