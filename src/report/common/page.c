#include "report/common/page.h"

#include <string.h>

#include "breakeven.h"
#include "report/common/svg.h"

/* Colours have a contrast of 7 to 1 and more on their ground, in both themes (WCAG AAA asks for that). */
static const char style[] =
    ":root{--ground:#fff;--ink:#1b2430;--soft:#45505e;--line:#c9d1da;--wash:#f2f5f8;--mark:"
    "#0b4f8a}"
    "\n"
    "@media(prefers-color-scheme:dark){:root{--ground:#12171d;--ink:#e6ebf0;--soft:#b3bdc8;"
    "--line:#3a4552;--wash:#1b222b;--mark:#9ccbff}}\n"
    "body{margin:0 auto;padding:1.5rem 1rem 3rem;max-width:64rem;background:var(--ground);"
    "color:var(--ink);font:1rem/1.5 system-ui,\"DejaVu Sans\",Verdana,sans-serif}\n"
    "h1{font-size:1.7rem;line-height:1.2;margin:.2rem 0 "
    "1rem}h2{font-size:1.2rem;margin:2rem 0 "
    ".5rem}h3{font-size:1rem;margin:1rem 0 .2rem}h3+p{margin-top:0}\n"
    ".kicker{color:var(--soft);margin:0}\n"
    ".verdict{font-size:1.15rem;border-left:.3rem solid var(--mark);padding:.4rem 1rem;"
    "background:var(--wash);margin:.6rem 0}\n"
    "figure{margin:1rem 0;overflow-x:auto}figcaption{color:var(--soft)}figure "
    "svg{max-width:100%;"
    "height:auto}\n"
    ".wide{overflow-x:auto;margin:.8rem "
    "0}table{border-collapse:collapse;font-variant-numeric:tabular-nums}\n"
    "caption{text-align:left;color:var(--soft);padding-bottom:.3rem}\n"
    "th,td{text-align:left;padding:.25rem .9rem .25rem 0;border-bottom:1px solid "
    "var(--line);"
    "vertical-align:top}\n"
    "pre{overflow-x:auto;background:var(--wash);padding:.8rem;font:.85rem/1.4 ui-monospace,"
    "\"DejaVu Sans Mono\",monospace}\n"
    "summary{cursor:pointer;color:var(--mark)}:focus-visible{outline:.15rem solid "
    "var(--mark)}\n"
    "@media(max-width:40rem){td{min-width:4.5rem}}@media screen{figure "
    "svg{min-width:44rem}}\n" /* letters to be read */
    "@media print{body{max-width:none;padding:0}pre{white-space:pre-wrap}.wide,figure,pre{overflow:"
    "visible}table{font-size:.72rem}th,td{padding-right:.4rem}figure,tr{break-inside:avoid}h2,h3{"
    "break-after:avoid}}\n";

static void add(struct be_text *out, const char *tag, const char *class, const char *text) {
    be_text_add(out, "<%s", tag);
    if (*class) {
        be_text_add(out, " class=\"%s\"", class);
    }
    be_text_add(out, ">");
    be_svg_escape(out, text);
    be_text_add(out, "</%s>\n", tag);
}

void be_page_begin(struct be_text *out, const char *title, const char *kicker) {
    be_text_add(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
                     "<meta name=\"color-scheme\" content=\"light dark\">\n"
                     "<link rel=\"icon\" href=\"data:,\">\n");
    add(out, "title", "", title);
    be_text_add(out, "<style>\n%s</style>\n</head>\n<body>\n<main>\n", style);
    add(out, "p", "kicker", kicker);
    add(out, "h1", "", title);
}

void be_page_end(struct be_text *out) {
    be_text_add(out, "</main>\n</body>\n</html>\n");
}

void be_page_verdict(struct be_text *out, const char *text) {
    add(out, "p", "verdict", text);
}

void be_page_heading(struct be_text *out, const char *text) {
    add(out, "h2", "", text);
}

void be_page_subheading(struct be_text *out, const char *text) {
    add(out, "h3", "", text);
}

void be_page_paragraph(struct be_text *out, const char *text) {
    add(out, "p", "", text);
}

/* be_svg_escape makes blanks of line ends, which matter here. */
static void add_lines(struct be_text *out, const char *text) {
    while (*text) {
        struct be_text line = {0};
        const size_t length = strcspn(text, "\n");
        be_text_add_bytes(&line, text, length);
        be_svg_escape(out, line.data ? line.data : "");
        out->failed |= line.failed;
        be_text_free(&line);
        text += length;
        if (*text) {
            be_text_add(out, "\n");
            text++;
        }
    }
}

void be_page_lines(struct be_text *out, const char *summary, const char *text, bool folded) {
    if (folded) {
        be_text_add(out, "<details>\n");
        add(out, "summary", "", summary);
    }
    be_text_add(out, "<pre tabindex=\"0\">");
    add_lines(out, text);
    be_text_add(out, "</pre>\n%s", folded ? "</details>\n" : "");
}

void be_page_drawing(struct be_text *out, const struct be_text *svg, const char *caption) {
    be_text_add(out, "<figure tabindex=\"0\">\n");
    be_text_add_bytes(out, svg->data ? svg->data : "", svg->length);
    add(out, "figcaption", "", caption);
    be_text_add(out, "</figure>\n");
    out->failed |= svg->failed;
}

void be_page_table_begin(struct be_text *out, const char *caption, const char *const *head,
                         int columns) {
    be_text_add(out, "<div class=\"wide\" tabindex=\"0\">\n<table>\n");
    add(out, "caption", "", caption);
    be_text_add(out, "<thead><tr>");
    for (int i = 0; i < columns; i++) {
        be_text_add(out, "<th scope=\"col\">");
        be_svg_escape(out, head[i]);
        be_text_add(out, "</th>");
    }
    be_text_add(out, "</tr></thead>\n<tbody>\n");
}

void be_page_row(struct be_text *out, const char *const *cell, int columns) {
    be_text_add(out, "<tr>");
    for (int i = 0; i < columns; i++) {
        be_text_add(out, i ? "<td>" : "<th scope=\"row\">");
        be_svg_escape(out, cell[i]);
        be_text_add(out, i ? "</td>" : "</th>");
    }
    be_text_add(out, "</tr>\n");
}

void be_page_table_end(struct be_text *out) {
    be_text_add(out, "</tbody>\n</table>\n</div>\n");
}

void be_page_whole(struct be_text *out, const struct be_text *text) {
    be_page_heading(out, "In full");
    be_page_lines(out, "The whole report, as a terminal shows it", text->data ? text->data : "",
                  true);
    out->failed |= text->failed;
}

void be_page_made(struct be_text *out, const struct be_page_fact *fact, int facts, const char *note,
                  const struct be_made *made) {
    be_page_heading(out, "Where and how");
    be_page_table_begin(out, "How this came about", (const char *[]){"what", "value"}, 2);
    for (int i = 0; i < facts; i++) {
        if (*fact[i].value) {
            be_page_row(out, (const char *[]){fact[i].what, fact[i].value}, 2);
        }
    }
    if (*made->date) {
        be_page_row(out, (const char *[]){"date (UTC)", made->date}, 2);
    }
    be_page_row(out, (const char *[]){"breakeven", BE_VERSION}, 2);
    be_page_table_end(out);
    be_page_paragraph(out, note);
    if (made->command) {
        be_page_paragraph(out, "This command makes it again:");
        be_page_lines(out, "", made->command, false);
    }
}
