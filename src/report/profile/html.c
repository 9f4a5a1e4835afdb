/* A profile as a page that one can send to somebody: what the machine reaches and what is wrong, roofline and copies, the
 * figures. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "machine/figure_kinds.h"
#include "report/common/page.h"
#include "report/profile/profile.h"
#include "report/profile/roofline.h"

/* ---- the verdict ----------------------------------------------------------------------------- */

static void add_roofs(const struct be_profile *profile, struct be_text *out) {
    struct be_roof roof[BE_ROOFS_MAX];
    const int roofs = be_roofs_of(profile, roof);
    for (int i = 0; i < roofs; i++) {
        char flops[BE_WORD], bytes[BE_WORD];
        be_text_add(out, "%s%s: %s and %s of memory", i ? "; " : "", roof[i].label,
                    be_format_flops(flops, sizeof flops, roof[i].flop_s, "-"),
                    be_format_rate(bytes, sizeof bytes, roof[i].bytes_s, "-"));
    }
    be_text_add(out, roofs ? "." : "Neither arithmetic nor memory is known of a device.");
}

static void add_verdict(const struct be_profile *profile, struct be_text *out) {
    struct be_text line = {0};
    if (profile->findings) {
        const struct be_finding *f = &profile->finding[0];
        be_text_add(&line, "Not all is as it should be: %s%s%s", f->device, *f->device ? ": " : "",
                    f->evidence);
        be_text_add(&line, profile->findings > 1 ? ", and more below." : ".");
        be_page_verdict(out, line.data ? line.data : "");
        be_text_free(&line);
    }
    be_text_add(&line,
                profile->source == BE_SOURCE_DATA_SHEET
                    ? "By data sheet, which nobody measured here, this machine reaches at most "
                    : "This machine reaches at most ");
    add_roofs(profile, &line);
    be_page_verdict(out, line.data ? line.data : "");
    out->failed |= line.failed;
    be_text_free(&line);
}

/* ---- evidence -------------------------------------------------------------------------------- */

static void add_findings(const struct be_profile *profile, struct be_text *out) {
    be_page_heading(out, "Findings");
    for (size_t i = 0; i < profile->findings; i++) {
        const struct be_finding *f = &profile->finding[i];
        char head[3 * BE_NAME];
        snprintf(head, sizeof head, "%s%s%s", f->name, *f->device ? ", " : "", f->device);
        be_page_subheading(out, head);
        be_page_paragraph(out, f->evidence);
        be_page_paragraph(out, f->advice);
    }
    if (!profile->findings) {
        be_page_paragraph(out, "None: nothing is slower than it should be.");
    }
}

/* A figure at its largest size and with its most threads stands for all of its kind. */
static bool is_shown(const struct be_profile *profile, const struct be_figure *f) {
    return be_profile_largest(profile, f->device, f->what, *f->dtype ? f->dtype : NULL,
                              *f->peer ? f->peer : NULL) == f;
}

static void add_figures(const struct be_profile *profile, struct be_text *out) {
    static const char *const head[] = {"device", "quantity", "type", "value", "median (95 %)"};
    be_page_heading(out, "Figures");
    be_page_table_begin(out, "Each at its largest size, with the most threads", head, 5);
    for (size_t i = 0; i < profile->figures; i++) {
        const struct be_figure *f = &profile->figure[i];
        const struct be_figure_kind *kind = be_figure_kind(f->what);
        char value[BE_WORD], median[BE_WORD], span[BE_CELL], lo[BE_WORD], hi[BE_WORD];
        if (!is_shown(profile, f)) {
            continue;
        }
        be_format_figure(value, sizeof value, f->value, f->unit);
        if (f->source == BE_SOURCE_DATA_SHEET) {
            be_copy_text(span, sizeof span, "data sheet");
        } else {
            snprintf(span, sizeof span, "%s (%s - %s)",
                     be_format_figure(median, sizeof median, f->median, f->unit),
                     be_format_figure(lo, sizeof lo, f->lo, f->unit),
                     be_format_figure(hi, sizeof hi, f->hi, f->unit));
        }
        be_page_row(
            out, (const char *[]){f->device, kind ? kind->title : f->what, f->dtype, value, span},
            5);
    }
    be_page_table_end(out);
}

static void add_made(const struct be_profile *profile, struct be_text *out) {
    const struct be_environment *e = &profile->environment;
    const struct be_machine *m = &profile->machine;
    char cores[BE_NAME] = "", command[3 * BE_NAME];
    struct be_text devices = {0};
    if (m->cores) {
        snprintf(cores, sizeof cores, "%d of %d", m->cores_allowed, m->cores);
    }
    for (int i = 0; i < m->devices; i++) {
        if (m->device[i].kind == BE_KIND_GPU) {
            be_text_add(&devices, "%s%s: %s", devices.length ? "; " : "", m->device[i].id,
                        m->device[i].name);
        }
    }
    const struct be_page_fact fact[] = {
        {"profile", profile->name},  {"where it comes from", profile->provenance},
        {"measured (UTC)", e->date}, {"CPU", m->cpu},
        {"cores used", cores},       {"GPUs", devices.data ? devices.data : ""},
        {"kernel", e->kernel},       {"libraries", e->libraries},
        {"compiler", e->compiler}};
    snprintf(command, sizeof command, "breakeven probe --name=%.60s", profile->name);
    be_page_made(out, fact, (int)BE_COUNT(fact),
                 "A rate is the best of its samples, since a ceiling says what can be reached; a "
                 "time is a median.",
                 &(struct be_made){profile->source == BE_SOURCE_MEASURED ? command : NULL, ""});
    out->failed |= devices.failed;
    be_text_free(&devices);
}

static void add_drawings(const struct be_profile *profile, struct be_text *out) {
    struct be_text roofs = {0}, bus = {0};
    be_roofline_svg(profile, &roofs);
    be_bus_svg(profile, &bus);
    if (roofs.length) {
        be_page_drawing(out, &roofs,
                        "A computation with so many operations a byte is no faster than the line.");
    }
    if (bus.length) {
        be_page_drawing(out, &bus, "Rates of copies, from the smallest to the largest.");
    }
    out->failed |= roofs.failed || bus.failed;
    be_text_free(&roofs);
    be_text_free(&bus);
}

void be_profile_html(const struct be_profile *profile, struct be_text *out) {
    struct be_text text = {0};
    char title[2 * BE_NAME], kicker[2 * BE_NAME];
    snprintf(title, sizeof title, "The most that %s can do",
             *profile->name ? profile->name : "this machine");
    snprintf(kicker, sizeof kicker, "breakeven probe, %.10s%s", profile->environment.date,
             profile->partial ? ", ended before everything was measured" : "");
    be_page_begin(out, title, kicker);
    add_verdict(profile, out);
    add_drawings(profile, out);
    add_findings(profile, out);
    add_figures(profile, out);
    be_profile_text(profile, &text);
    be_page_whole(out, &text);
    add_made(profile, out);
    be_page_end(out);
    be_text_free(&text);
}
