#include "cli/predict/limit.h"

#include <stdlib.h>

#include "base/error.h"

struct limit {
    struct be_predict_rates rates;
    double operations;
};

static enum be_status read_rates(const char *text, struct be_predict_rates *rates,
                                 struct be_error *error) {
    double *const value[] = {&rates->cpu_flop_s, &rates->gpu_flop_s, &rates->bus_bytes_s};
    const char *at = text;
    for (size_t i = 0; i < BE_COUNT(value); i++) {
        char *end = NULL;
        *value[i] = strtod(at, &end);
        const char expected = i + 1 < BE_COUNT(value) ? ',' : '\0';
        if (end == at || *end != expected) {
            return be_fail(error, BE_USAGE,
                           "--rates %s: three numbers with commas between them are needed: "
                           "operations a second of the CPU, of the GPU, and bytes a second of the "
                           "bus, as 1e9,1e12,15e9",
                           text);
        }
        at = end + 1;
    }
    return BE_OK;
}

static enum be_status write_limit(const void *results, enum be_format format, FILE *out,
                                  struct be_error *error) {
    const struct limit *limit = results;
    return be_stop_loss_write(&limit->rates, limit->operations, format, out, error);
}

enum be_status be_cli_limit_print(const char *rates, double value_bytes,
                                  struct be_cli_outputs *outputs, struct be_error *error) {
    struct limit limit = {.rates = {.value_bytes = value_bytes}};
    enum be_status status = read_rates(rates, &limit.rates, error);
    if (!status && be_stop_loss(&limit.rates, &limit.operations, error) != BE_OK) {
        status = be_context(error, "--rates");
    }
    status = status ? status : be_cli_outputs_open(outputs, error);
    return status ? status : be_cli_outputs_write(outputs, write_limit, &limit, error);
}
