#include "report/common/svg.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const char style[] =
    "<style>text{font:13px system-ui,\"DejaVu Sans\",Verdana,sans-serif;fill:#1b2430}"
    ".h{font-weight:bold}.q,.e{font-size:11px}.e{fill:#fff}.z{fill:#fff}"
    ".g{stroke:#e2e6ea;fill:none}.a{stroke:#8a94a0;fill:none}"
    ".k0{stroke:#1b2430;fill:#1b2430}.k1{stroke:#c2410c;fill:#c2410c}"
    ".k2{stroke:#0067b1;fill:#0067b1}.k3{stroke:#007a55;fill:#007a55}"
    ".k4{stroke:#8a3ab9;fill:#8a3ab9}.k5{stroke:#9a6700;fill:#9a6700}"
    ".k6{stroke:#5b6673;fill:#5b6673}"
    ".l{fill:none;stroke-width:2}.t{fill:none;stroke-width:.9;stroke-dasharray:2 3}"
    ".i{stroke:none;fill-opacity:.16}.s{stroke:none}.f{stroke:none;fill-opacity:.35}"
    ".u{stroke-width:1.2;fill-opacity:.35}"
    ".w{fill:none;stroke-width:1.2}.d{fill:none;stroke-dasharray:4 3}.r{fill:none;stroke-width:2}"
    "@media(prefers-color-scheme:dark){text{fill:#e6edf3}.e{fill:#14181f}.z{fill:#14181f}"
    ".g{stroke:#2b333d}.a{stroke:#77828f}.k0{stroke:#e6edf3;fill:#e6edf3}"
    ".k1{stroke:#ff9d5c;fill:#ff9d5c}.k2{stroke:#6cb6ff;fill:#6cb6ff}"
    ".k3{stroke:#3fd19b;fill:#3fd19b}.k4{stroke:#d2a8ff;fill:#d2a8ff}"
    ".k5{stroke:#e3b341;fill:#e3b341}.k6{stroke:#9da7b3;fill:#9da7b3}"
    ".l,.t,.w,.d,.r{fill:none}.i,.s,.f{stroke:none}}</style>\n";

static void add_element(struct be_text *out, const char *name, const char *text) {
    be_text_add(out, "<%s>", name);
    be_svg_escape(out, text);
    be_text_add(out, "</%s>\n", name);
}

void be_svg_begin(struct be_text *out, double width, double height, const char *title,
                  const char *description) {
    be_text_add(out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
                "viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"",
                width, height, width, height);
    be_svg_escape(out, title);
    be_text_add(out, ". ");
    be_svg_escape(out, description);
    be_text_add(out, "\">\n");
    add_element(out, "title", title);
    add_element(out, "desc", description);
    be_text_add(out, "%s<rect class=\"z\" width=\"%.0f\" height=\"%.0f\"/>\n", style, width,
                height);
}

void be_svg_end(struct be_text *out) {
    be_text_add(out, "</svg>\n");
}

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

void be_svg_label_in(struct be_text *out, double x, double y, double room, const char *class,
                     const char *text) {
    const size_t most = room > 0 ? (size_t)(room / BE_SVG_LETTER) : 0;
    struct be_text cut = {0};
    be_text_add_bytes(&cut, text, strlen(text) < most ? strlen(text) : most);
    be_text_add(&cut, "%s", strlen(text) > most ? "..." : "");
    be_svg_label(out, x, y, "start", class, cut.data ? cut.data : "");
    out->failed |= cut.failed;
    be_text_free(&cut);
}

void be_svg_line(struct be_text *out, const char *class, double x1, double y1, double x2,
                 double y2) {
    be_text_add(out, "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", class, x1, y1, x2, y2);
}

void be_svg_bar(struct be_text *out, const char *class, double x, double y, double width,
                double height, const char *tip) {
    be_text_add(out, "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"%s",
                class, x, y, fmax(width, 0), fmax(height, 0), tip ? ">" : "/>\n");
    if (tip) {
        be_text_add(out, "<title>");
        be_svg_escape(out, tip);
        be_text_add(out, "</title></rect>\n");
    }
}
