/* Predictions -> JSON (docs/json.md), one line a prediction. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "report/json/record.h"
#include "report/predict/fields.h"
#include "report/predict/predict.h"

static void fill_rows(const struct be_predict_table *table, struct be_predict_row *row) {
    for (size_t i = 0; i < table->machines * table->sizes; i++) {
        const struct be_predict_machine *machine = &table->machine[i / table->sizes];
        be_copy_text(row[i].machine, sizeof row[i].machine, machine->name);
        row[i].placement = machine->placement;
        row[i].size = table->n[i % table->sizes];
        row[i].prediction = machine->row[i % table->sizes];
    }
}

void be_predict_json(const struct be_predict_table *table, struct be_text *out) {
    struct be_predict_rows rows = {.table = *table, .rows = table->machines * table->sizes};
    const char *type = table->work.float64 ? "float64" : "float32";
    rows.row = calloc(rows.rows + 1, sizeof *rows.row);
    if (!rows.row) {
        out->failed = true;
        return;
    }
    if (!*rows.table.dtype) {
        be_copy_text(rows.table.dtype, sizeof rows.table.dtype, type);
    }
    fill_rows(table, rows.row);
    be_json_add_head(out, "predict");
    be_json_add_fields(out, &be_fields_predictions, &rows);
    be_text_add(out, "}\n");
    free(rows.row);
}

void be_stop_loss_json(const struct be_predict_rates *rates, double operations,
                       struct be_text *out) {
    be_json_add_head(out, "predict");
    const struct {
        const char *name;
        double value;
    } number[] = {
        {"cpu_flop_s", rates->cpu_flop_s},   {"gpu_flop_s", rates->gpu_flop_s},
        {"bus_bytes_s", rates->bus_bytes_s}, {"value_bytes", rates->value_bytes},
        {"operations_a_value", operations},
    };
    for (size_t i = 0; i < sizeof number / sizeof number[0]; i++) {
        be_json_add_member(out, number[i].name,
                           isfinite(number[i].value) ? cJSON_CreateNumber(number[i].value)
                                                     : cJSON_CreateNull());
    }
    be_text_add(out, "}\n");
}
