/* The roofline as a picture in text: attainable operations a second over operations a byte, both
 * axes logarithmic. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "machine/profile.h"
#include "report/common/lines.h"
#include "report/profile/profile.h"
#include "report/profile/roofline.h"

enum { ROWS = 7, MARGIN = 13, COLUMNS = 66 };

struct picture {
    struct be_roof roof[BE_ROOFS_MAX];
    int roofs;
    int rows;                      /* two for each power of ten, as far as that goes */
    double x_lo, x_hi, y_lo, y_hi; /* powers of ten, as exponents */
    char cell[ROWS][COLUMNS + 1];
};

double be_roof_ridge(const struct be_roof *roof) {
    return roof->flop_s / roof->bytes_s;
}

/* The fastest way through memory beyond caches. */
static const struct be_figure *memory_of(const struct be_profile *profile, const char *device) {
    static const char *const kinds[] = {"triad", "copy", "read"};
    const struct be_figure *best = NULL;
    for (size_t i = 0; i < BE_COUNT(kinds); i++) {
        const struct be_figure *f = be_profile_largest(profile, device, kinds[i], NULL, NULL);
        best = f && (!best || f->value > best->value) ? f : best;
    }
    return best;
}

static const struct be_figure *best_matrix(const struct be_profile *profile, const char *device) {
    const struct be_figure *best = NULL;
    for (size_t i = 0; i < profile->figures; i++) {
        const struct be_figure *f = &profile->figure[i];
        if (strcmp(f->device, device) == 0 && strcmp(f->what, "matmul") == 0 &&
            (!best || f->value > best->value)) {
            best = f;
        }
    }
    return best;
}

static void add_roof(struct be_roof list[BE_ROOFS_MAX], int *roofs, const char *device,
                     const char *kind, const struct be_figure *memory,
                     const struct be_figure *rate) {
    if (!memory || !rate || *roofs == BE_ROOFS_MAX || memory->unit != BE_UNIT_BYTES_S ||
        rate->unit != BE_UNIT_FLOP_S) {
        return;
    }
    struct be_roof *roof = &list[(*roofs)++];
    *roof = (struct be_roof){.bytes_s = memory->value,
                             .flop_s = rate->value,
                             .data_sheet = memory->source == BE_SOURCE_DATA_SHEET ||
                                           rate->source == BE_SOURCE_DATA_SHEET};
    snprintf(roof->label, sizeof roof->label, "%.30s %.20s%s", device, rate->dtype, kind);
}

int be_roofs_of(const struct be_profile *profile, struct be_roof roof[BE_ROOFS_MAX]) {
    int roofs = 0;
    for (int i = 0; i < profile->machine.devices; i++) {
        const struct be_device_info *info = &profile->machine.device[i];
        if (be_profile_shown_before(profile, info)) {
            continue;
        }
        const struct be_figure *memory = memory_of(profile, info->id);
        add_roof(roof, &roofs, info->id, "", memory,
                 be_profile_largest(profile, info->id, "fma", "float32", NULL));
        if (info->kind == BE_KIND_GPU) {
            add_roof(roof, &roofs, info->id, " matrix", memory, best_matrix(profile, info->id));
        }
    }
    return roofs;
}

/* Whole powers of ten around all ridges and roofs. */
static void find_range(struct picture *picture) {
    double lowest = INFINITY, highest = DBL_MIN, left = INFINITY, right = DBL_MIN;
    for (int i = 0; i < picture->roofs; i++) {
        const struct be_roof *roof = &picture->roof[i];
        left = fmin(left, be_roof_ridge(roof));
        right = fmax(right, be_roof_ridge(roof));
        highest = fmax(highest, roof->flop_s);
    }
    picture->x_lo = fmin(-1, floor(log10(left) - 1));
    picture->x_hi = fmax(3, ceil(log10(right) + 0.3));
    for (int i = 0; i < picture->roofs; i++) {
        lowest = fmin(lowest, picture->roof[i].bytes_s * pow(10, picture->x_lo));
    }
    picture->y_lo = floor(log10(lowest));
    picture->y_hi = ceil(log10(highest));
    picture->y_hi += picture->y_hi <= picture->y_lo; /* a file may say anything */
}

static int row_of(const struct picture *picture, double flop_s) {
    double share = (log10(flop_s) - picture->y_lo) / (picture->y_hi - picture->y_lo);
    return (ROWS - 1) - (int)lround(fmin(fmax(share, 0), 1) * (ROWS - 1));
}

static double intensity_at(const struct picture *picture, int column) {
    double share = (double)column / (COLUMNS - 1);
    return pow(10, picture->x_lo + share * (picture->x_hi - picture->x_lo));
}

static int column_of(const struct picture *picture, double intensity) {
    double share = (log10(intensity) - picture->x_lo) / (picture->x_hi - picture->x_lo);
    return (int)lround(fmin(fmax(share, 0), 1) * (COLUMNS - 1));
}

static void put(struct picture *picture, int row, int column, char sign) {
    if (picture->cell[row][column] == ' ') {
        picture->cell[row][column] = sign;
    }
}

/* The roof's letter along its line; between two columns of a steep part the rows between, too. */
static void draw(struct picture *picture, int index) {
    const struct be_roof *roof = &picture->roof[index];
    int before = -1;
    for (int column = 0; column < COLUMNS; column++) {
        double attainable = fmin(roof->flop_s, roof->bytes_s * intensity_at(picture, column));
        int row = row_of(picture, attainable);
        for (int between = before - 1; between > row; between--) {
            put(picture, between, column, (char)('a' + index));
        }
        put(picture, row, column, (char)('a' + index));
        before = row;
    }
}

/* '+' where the roof bends, and its place in numbers above, or below, where nothing else is. */
static void mark_ridge(struct picture *picture, int index) {
    const struct be_roof *roof = &picture->roof[index];
    char number[BE_WORD];
    int row = row_of(picture, roof->flop_s), column = column_of(picture, be_roof_ridge(roof));
    be_format_ratio(number, sizeof number, be_roof_ridge(roof), "");
    picture->cell[row][column] = '+';
    int length = (int)strlen(number);
    for (int side = -1; side <= 1; side += 2) {
        int at = row + side, from = side < 0 ? column - length : column + 1;
        if (at < 0 || at >= ROWS || from < 0 || from + length > COLUMNS) {
            continue;
        }
        if ((int)strspn(&picture->cell[at][from], " ") >= length) {
            memcpy(&picture->cell[at][from], number, (size_t)length);
            return;
        }
    }
}

/* The exponents of ten that have a row or column of their own. */
static bool is_decade(double exponent, double step) {
    return fabs(exponent - round(exponent)) < step / 2;
}

static void add_picture(const struct picture *picture, struct be_text *out) {
    double step = (picture->y_hi - picture->y_lo) / (ROWS - 1);
    double last = NAN;
    for (int row = 0; row < ROWS; row++) {
        double exponent = picture->y_hi - row * step;
        char label[BE_WORD] = "";
        if (is_decade(exponent, step) && !(round(exponent) == last)) {
            last = round(exponent);
            be_format_flops(label, sizeof label, pow(10, last), "");
            if (strlen(label) > MARGIN - 2) { /* no machine has that many, but a file may */
                snprintf(label, sizeof label, "1e%.0f", last);
            }
        }
        be_text_add(out, "%*s |%s", MARGIN - 2, label, picture->cell[row]);
        be_text_end_line(out);
    }
    char axis[COLUMNS + 1];
    memset(axis, '-', COLUMNS);
    axis[COLUMNS] = '\0';
    for (double at = picture->x_lo; at <= picture->x_hi; at++) {
        int column = column_of(picture, pow(10, at));
        char number[BE_WORD];
        int length = snprintf(number, sizeof number, "%g", pow(10, at));
        int from = column + length > COLUMNS ? COLUMNS - length : column;
        memcpy(axis + from, number, (size_t)length);
    }
    be_text_add(out, "%*s +%s\n", MARGIN - 2, "", axis);
}

static void add_legend(const struct picture *picture, struct be_text *out) {
    for (int i = 0; i < picture->roofs; i++) {
        const struct be_roof *roof = &picture->roof[i];
        char flops[BE_WORD], bytes[BE_WORD], bend[BE_WORD], line[BE_NOTE];
        snprintf(line, sizeof line, "%c %s: %s, memory %s, ridge %s FLOP/byte%s", 'a' + i,
                 roof->label, be_format_flops(flops, sizeof flops, roof->flop_s, "-"),
                 be_format_rate(bytes, sizeof bytes, roof->bytes_s, "-"),
                 be_format_ratio(bend, sizeof bend, be_roof_ridge(roof), "-"),
                 roof->data_sheet ? " (data sheet)" : "");
        be_lines_wrap(out, "  ", line, 4);
    }
}

void be_profile_roofline(const struct be_profile *profile, struct be_text *out) {
    struct picture picture = {.roofs = 0};
    picture.roofs = be_roofs_of(profile, picture.roof);
    if (!picture.roofs) {
        return;
    }
    find_range(&picture);
    for (int row = 0; row < ROWS; row++) {
        memset(picture.cell[row], ' ', COLUMNS);
    }
    for (int i = 0; i < picture.roofs; i++) {
        draw(&picture, i);
    }
    for (int i = 0; i < picture.roofs; i++) {
        mark_ridge(&picture, i);
    }
    be_text_add(out, "\nRoofline: FLOP/s over FLOP/byte of memory traffic; + where a roof "
                     "bends\n");
    add_picture(&picture, out);
    add_legend(&picture, out);
}
