#include "accounting/rows.h"

#include <math.h>
#include <stdlib.h>

enum { WEEKDAYS = 7 };

/* 0, 1, 2, 3 - 4, 5 - 8, ... */
static void doubling(char *name, double count) {
    if (isnan(count)) {
        snprintf(name, BE_NAME, "not known");
        return;
    }
    double high = count <= 0 ? 0 : exp2(ceil(log2(count) - 1e-9));
    if (high <= 2) {
        snprintf(name, BE_NAME, "%.0f", high);
    } else {
        snprintf(name, BE_NAME, "%.0f - %.0f", high / 2 + 1, high);
    }
}

static void memory_row(char *name, double bytes) {
    double gb = bytes / 0x1p30;
    if (!(gb >= 1)) {
        snprintf(name, BE_NAME, gb < 1 ? "< 1 GB" : "not known");
        return;
    }
    double low = exp2(floor(log2(gb)));
    snprintf(name, BE_NAME, "%.0f GB - %.0f GB", low, low * 2);
}

static void hour_row(char *name, int64_t local_s) {
    int64_t hour = be_floor_div(local_s, 3600) - be_floor_div(local_s, 86400) * 24;
    snprintf(name, BE_NAME, "%02d:00", (int)hour);
}

static void weekday_row(char *name, int64_t local_s) {
    static const char *const word[] = {"Monday", "Tuesday",  "Wednesday", "Thursday",
                                       "Friday", "Saturday", "Sunday"};
    const int64_t first_was_thursday = 3;
    int64_t day = be_floor_div(local_s, 86400) + first_was_thursday;
    snprintf(name, BE_NAME, "%s", word[day - be_floor_div(day, WEEKDAYS) * WEEKDAYS]);
}

void be_row_name(enum be_wait_rows kind, const struct be_record *record, int64_t local_s,
                 char name[BE_NAME]) {
    switch (kind) {
    case BE_ROWS_HOUR:
        hour_row(name, local_s);
        break;
    case BE_ROWS_WEEKDAY:
        weekday_row(name, local_s);
        break;
    case BE_ROWS_GPUS:
        doubling(name, record->gpus);
        break;
    case BE_ROWS_CPUS:
        doubling(name, record->cpus);
        break;
    case BE_ROWS_MEMORY:
        memory_row(name, record->memory_bytes);
        break;
    case BE_ROWS_PARTITION:
    case BE_ROWS_KINDS:
        name[0] = '\0';
        break;
    }
}

double be_row_key(enum be_wait_rows kind, const char *name) {
    static const char first[] = "MTWTFSS", second[] = "ouehrau";
    if (kind == BE_ROWS_WEEKDAY) {
        for (int i = 0; i < WEEKDAYS; i++) {
            if (name[0] == first[i] && name[1] == second[i]) {
                return i;
            }
        }
    }
    return name[0] == '<' ? -1 : name[0] == 'n' ? INFINITY : strtod(name, NULL);
}
