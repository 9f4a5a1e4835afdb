/*
 * Times and spans as Slurm writes them. Two fields of a line in three are times, so they are read
 * by their fixed columns; strptime and mktime take a microsecond each.
 */
#include <math.h>

#include "accounting/record.h"

/* The number in `digits` columns; *wrong is set where one of them is no digit: one branch a moment
 * instead of one a digit. */
static inline int columns(const char *text, int digits, unsigned *wrong) {
    unsigned value = 0;
    for (int i = 0; i < digits; i++) {
        unsigned digit = (unsigned)(unsigned char)text[i] - '0';
        *wrong |= digit > 9;
        value = value * 10 + digit;
    }
    return (int)value;
}

/* Days from 1970-01-01 to a day of the Gregorian calendar: whole eras of 400 years, and years that
 * begin in March, so that the leap day is a year's last. */
static int64_t days(int year, int month, int day) {
    const int64_t era_days = 146097;
    int64_t y = year - (month <= 2);
    int64_t era = y / 400;
    int64_t of_era = y - era * 400;
    int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    int64_t of_era_days = of_era * 365 + of_era / 4 - of_era / 100 + of_year;
    return era * era_days + of_era_days - 719468;
}

static bool valid_day(int year, int month, int day) {
    static const int last[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (month < 1 || month > 12 || day < 1) {
        return false;
    }
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return day <= last[month - 1] + (month == 2 && leap);
}

static bool no_time(struct be_slice text) {
    return text.length == 0 || be_slice_is(text, "Unknown") || be_slice_is(text, "None") ||
           be_slice_is(text, "N/A") || be_slice_is(text, "NONE");
}

static bool epoch(struct be_slice text, int64_t *seconds) {
    const uint32_t digits_max = 11; /* until the year 5138 */
    if (text.length > digits_max) {
        return false;
    }
    int64_t value = 0;
    for (uint32_t i = 0; i < text.length; i++) {
        unsigned digit = (unsigned)(unsigned char)text.text[i] - '0';
        if (digit > 9) {
            return false;
        }
        value = value * 10 + digit;
    }
    *seconds = value ? value : BE_NO_TIME; /* Slurm's "not yet" */
    return true;
}

/* Reads the text behind the seconds: nothing, ".123", "Z", "+01:00", "-0500". */
static bool zone_of(const char *text, uint32_t length, int64_t *offset_s, bool *zoned) {
    uint32_t at = 0;
    *offset_s = 0;
    if (at < length && text[at] == '.') {
        for (at++; at < length && text[at] >= '0' && text[at] <= '9'; at++) {
        }
    }
    if (at == length) {
        return true;
    }
    *zoned = true;
    if (text[at] == 'Z') {
        return at + 1 == length;
    }
    uint32_t left = length - at;
    bool colon = left == 6 && text[at + 3] == ':';
    if ((text[at] != '+' && text[at] != '-') || !(left == 5 || colon)) {
        return false;
    }
    unsigned wrong = 0;
    int hours = columns(text + at + 1, 2, &wrong);
    int minutes = columns(text + at + (colon ? 4 : 3), 2, &wrong);
    *offset_s = (text[at] == '-' ? -1 : 1) * (hours * 3600 + minutes * 60);
    return !wrong && hours <= 15 && minutes < 60;
}

bool be_parse_time(struct be_slice text, int64_t *seconds, bool *zoned) {
    enum { DATE = 10, WHOLE = 19 };
    const char *t = text.text;
    *seconds = BE_NO_TIME;
    *zoned = false;
    if (text.length < WHOLE) {
        if (no_time(text)) {
            return true;
        }
        *zoned = true;
        return epoch(text, seconds);
    }
    if (t[4] != '-' || t[7] != '-' || (t[DATE] != 'T' && t[DATE] != ' ') || t[13] != ':' ||
        t[16] != ':') {
        return false;
    }
    unsigned wrong = 0;
    int year = columns(t, 4, &wrong), month = columns(t + 5, 2, &wrong);
    int day = columns(t + 8, 2, &wrong), hour = columns(t + 11, 2, &wrong);
    int minute = columns(t + 14, 2, &wrong), second = columns(t + 17, 2, &wrong);
    int64_t offset_s = 0;
    if (wrong || !valid_day(year, month, day) || hour > 23 || minute > 59 || second > 60 ||
        (text.length > WHOLE && !zone_of(t + WHOLE, text.length - WHOLE, &offset_s, zoned))) {
        return false;
    }
    *seconds = days(year, month, day) * 86400 + hour * 3600 + minute * 60 + second - offset_s;
    return true;
}

/* Reads "12" or "12.5" from *at on; -1 where no digit stands there. */
static double number(struct be_slice text, uint32_t *at) {
    const uint32_t digits_max = 12;
    uint64_t whole = 0;
    uint32_t begin = *at;
    for (; *at < text.length && *at - begin <= digits_max; ++*at) {
        unsigned digit = (unsigned)(unsigned char)text.text[*at] - '0';
        if (digit > 9) {
            break;
        }
        whole = whole * 10 + digit;
    }
    if (begin == *at || *at - begin > digits_max) {
        return -1;
    }
    double value = (double)whole, scale = 1;
    if (*at < text.length && text.text[*at] == '.') {
        for (++*at; *at < text.length && text.text[*at] >= '0' && text.text[*at] <= '9'; ++*at) {
            scale /= 10;
            value += scale * (text.text[*at] - '0');
        }
    }
    return value;
}

bool be_parse_span(struct be_slice text, double *seconds) {
    *seconds = NAN;
    if (no_time(text) || be_slice_is(text, "Partition_Limit") || be_slice_is(text, "INVALID")) {
        return true;
    }
    if (be_slice_is(text, "UNLIMITED") || be_slice_is(text, "infinite")) {
        *seconds = INFINITY;
        return true;
    }
    double part[4];
    int parts = 0;
    bool with_days = false;
    for (uint32_t at = 0; parts < 4;) {
        if ((part[parts++] = number(text, &at)) < 0) {
            return false;
        }
        if (at == text.length) {
            break;
        }
        bool dash = text.text[at] == '-' && parts == 1;
        if ((!dash && text.text[at] != ':') || parts == 3 + with_days) {
            return false;
        }
        with_days |= dash;
        at++;
    }
    /* Without days, one part is minutes, two are minutes and seconds (sbatch(1), --time). */
    static const double unit[3][4] = {{60}, {60, 1}, {3600, 60, 1}};
    static const double of_days[4] = {86400, 3600, 60, 1};
    const double *units = with_days ? of_days : unit[parts - 1];
    *seconds = 0;
    for (int i = 0; i < parts; i++) {
        *seconds += part[i] * units[i];
    }
    return true;
}
