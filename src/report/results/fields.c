/* The fields of times that travel. A file may come from anyone: what cannot be is refused here. */
#include <math.h>

#include "report/common/field_rows.h"
#include "report/json/reader.h"
#include "report/results/results.h"

#define COLUMN(called, type, member)                                                               \
    { .name = (called), .kind = BE_FIELD_##type, PLACE(be_result, member) }

static const struct be_field timing[] = {
    NEED(be_result, TEXT, workload),
    FIELD(be_result, TEXT, variant),
    WORD(be_result, code, code),
    FIELD(be_result, TEXT, dtype),
    FIELD(be_result, NOTE, parameters),
    NEED(be_result, WHOLE, size),
    FIELD(be_result, TEXT, size_name),
    NEED(be_result, TEXT, device),
    FIELD(be_result, GIVEN, threads),
    NEED_WORD(be_result, placement, placement),
    NEED_WORD(be_result, cache, cache),
    FIELD(be_result, REAL, bytes),
    FIELD(be_result, REAL, operations),
    COLUMN("n", INT, phase[BE_TOTAL].n),
    {.name = "median_s",
     .kind = BE_FIELD_REAL,
     .needed = true,
     PLACE(be_result, phase[BE_TOTAL].median_s)},
    COLUMN("lo_s", REAL, phase[BE_TOTAL].lo_s),
    COLUMN("hi_s", REAL, phase[BE_TOTAL].hi_s),
    COLUMN("first_s", REAL, phase[BE_FIRST].median_s),
};

static enum be_status check_timing(struct be_json_reader *reader, const struct cJSON *object,
                                   void *record) {
    (void)object;
    struct be_result *of = record;
    struct be_summary *total = &of->phase[BE_TOTAL];
    const double min_s = 1e-12, max_s = 1e7;
    if (!(total->median_s >= min_s && total->median_s <= max_s)) {
        return be_json_bad(reader, "median_s", "a time from 1e-12 to 1e7 s is needed");
    }
    if (total->lo_s > total->median_s || total->hi_s < total->median_s || total->lo_s <= 0) {
        return be_json_bad(reader, "lo_s", "lo_s, median_s and hi_s: above 0 and ascending");
    }
    if (of->size == 0) {
        return be_json_bad(reader, "size", "a size from 1 on is needed");
    }
    total->n = total->n > 0 ? total->n : 1;
    of->phase[BE_FIRST].n = !isnan(of->phase[BE_FIRST].median_s);
    return BE_OK;
}

const struct be_fields be_fields_timing = FIELDS_CHECKED(timing, check_timing);

static const struct be_field results[] = {
    NEED(be_results, TEXT, name),
    FIELD(be_results, NOTE, provenance),
    NEED_PART(be_results, machine, be_fields_machine),
    PART(be_results, environment, be_fields_environment),
};
const struct be_fields be_fields_results = FIELDS(results);
