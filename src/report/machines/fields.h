/*
 * The fields of the list of machines that are known.
 */
#ifndef BE_REPORT_MACHINES_FIELDS_H
#define BE_REPORT_MACHINES_FIELDS_H

#include "breakeven_profile.h"
#include "report/common/fields.h"

/* A profile, or the times of a machine. */
struct be_machine_row {
    char name[BE_NAME], whose[BE_NAME], date[BE_NAME], hardware[BE_NOTE];
    enum be_source source;
    bool taken;     /* a profile that is not behind another one of its name */
    uint64_t times; /* how many */
};

struct be_machine_rows {
    struct be_machine_row *profile, *time;
    size_t profiles, times;
};

extern const struct be_fields be_fields_machines; /* of rows */

#endif
