/*
 * The fields of predictions.
 */
#ifndef BE_REPORT_PREDICT_FIELDS_H
#define BE_REPORT_PREDICT_FIELDS_H

#include "breakeven_predict.h"
#include "report/common/fields.h"

/* A prediction with its place in a table. */
struct be_predict_row {
    char machine[BE_NAME];
    enum be_placement placement; /* BE_HOST: it is described by numbers */
    double size;
    struct be_prediction prediction;
};

/* A table with its rows one after the other: machine by machine, size by size. */
struct be_predict_rows {
    struct be_predict_table table;
    struct be_predict_row *row;
    size_t rows;
};

extern const struct be_fields be_fields_prediction;  /* of a row */
extern const struct be_fields be_fields_predictions; /* of rows */

#endif
