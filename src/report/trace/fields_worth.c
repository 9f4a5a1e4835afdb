/* The fields of a trace about its GPU's worth: the rates, which are read again, and the verdict, which is made anew. */
#include "ask/gpu_worth.h"
#include "report/common/field_rows.h"
#include "report/trace/fields.h"

static const struct be_field core_rows[] = {
    FIELD_AS(be_core_rates, REAL, "flop_s_float32", float32),
    FIELD_AS(be_core_rates, REAL, "flop_s_float64", float64),
    FIELD_AS(be_core_rates, REAL, "memory_bytes_s", memory),
    FIELD_AS(be_core_rates, REAL, "cache_bytes_s", cache),
};
static const struct be_fields core_fields = FIELDS(core_rows);

static const struct be_field card_rows[] = {
    NEED(be_card_rates, TEXT, name),
    FIELD_AS(be_card_rates, REAL, "flop_s_float32", gpu32),
    FIELD_AS(be_card_rates, REAL, "flop_s_float64", gpu64),
    FIELD_AS(be_card_rates, REAL, "matrix_flop_s_16bit", gpu_half),
    FIELD_AS(be_card_rates, REAL, "matrix_flop_s_float64", gpu_matrix64),
    FIELD_AS(be_card_rates, REAL, "memory_bytes_s", gpu_memory),
    FIELD(be_card_rates, REAL, units),
    FIELD(be_card_rates, REAL, clock_hz),
    FIELD(be_card_rates, REAL, memory_bytes),
    FIELD(be_card_rates, REAL, clock_share),
};
static const struct be_fields card_fields = FIELDS(card_rows);

static const struct be_field rate_rows[] = {
    FIELD(be_trace_rates, NOTE, cpu),
    FIELD(be_trace_rates, REAL, off),
    FIELD(be_trace_rates, INT, cores),
    PART(be_trace_rates, one, core_fields),
    PART(be_trace_rates, all, core_fields),
    FIELD(be_trace_rates, REAL, cache_bytes),
    FIELD(be_trace_rates, NOTE, gpu),
    FIELD_AS(be_trace_rates, REAL, "gpu_flop_s_float32", gpu32),
    FIELD_AS(be_trace_rates, REAL, "gpu_flop_s_float64", gpu64),
    FIELD_AS(be_trace_rates, REAL, "gpu_matrix_flop_s_16bit", gpu_half),
    FIELD_AS(be_trace_rates, REAL, "gpu_matrix_flop_s_float64", gpu_matrix64),
    FIELD_AS(be_trace_rates, REAL, "gpu_memory_bytes_s", gpu_memory),
    FIELD_AS(be_trace_rates, REAL, "gpu_bus_bytes_s", gpu_bus),
    FIELD_AS(be_trace_rates, REAL, "gpu_units", units),
    FIELD_AS(be_trace_rates, REAL, "gpu_clock_hz", clock_hz),
    FIXED(be_trace_rates, "cards", card, cards, card_fields),
};
static const struct be_fields rate_fields = FIELDS(rate_rows);

static const struct be_field with_rates[] = {
    PART(be_trace, rates, rate_fields),
};
const struct be_fields be_fields_trace_rates = FIELDS(with_rates);

/* ---- kinds of work -------------------------------------------------------------------------- */

static const struct be_field kind_rows[] = {
    NEED(be_trace_kind, TEXT, kind),
    FIELD(be_trace_kind, TEXT, what),
    FIELD(be_trace_kind, REAL, cpu_s),
    FIELD(be_trace_kind, REAL, wall_s),
};
static const struct be_fields kind_fields = FIELDS(kind_rows);

/* That the part is there says that samples were asked for. */
static enum be_status take_kinds(struct be_json_reader *reader, const struct cJSON *object,
                                 void *record) {
    (void)reader;
    ((struct be_trace_kinds *)record)->asked = object != NULL;
    return BE_OK;
}

static const struct be_field kinds_rows[] = {
    FIELD(be_trace_kinds, NOTE, unsampled),
    FIELD(be_trace_kinds, REAL, samples),
    FIELD(be_trace_kinds, REAL, own_s),
    FIELD_AS(be_trace_kinds, REAL, "known_share", known),
    FIXED(be_trace_kinds, "parts", part, parts, kind_fields),
    FIELD_AS(be_trace_kinds, REAL, "gain_at_most", most),
    FIELD(be_trace_kinds, NOTE, gpu),
    FIELD(be_trace_kinds, NOTE, verdict),
    FIELD(be_trace_kinds, NOTE, cause),
    FIELD(be_trace_kinds, REAL, gain),
    FIELD(be_trace_kinds, REAL, gain_lo),
    FIELD(be_trace_kinds, REAL, gain_hi),
};
static const struct be_fields kinds_fields = FIELDS_CHECKED(kinds_rows, take_kinds);

static const struct be_field with_kinds[] = {
    PART(be_trace, kinds, kinds_fields),
};
const struct be_fields be_fields_trace_kinds = FIELDS(with_kinds);

/* ---- the verdict ---------------------------------------------------------------------------- */

static const struct be_field time_rows[] = {
    FIELD(be_worth_time, REAL, lo_s),
    FIELD(be_worth_time, REAL, typical_s),
    FIELD(be_worth_time, REAL, hi_s),
};
static const struct be_fields time_fields = FIELDS(time_rows);

static const struct be_field on_card_rows[] = {
    FIELD(be_gpu_on_card, TEXT, name),
    FIELD(be_gpu_on_card, REAL, longer_lo),
    FIELD(be_gpu_on_card, REAL, longer_hi),
};
static const struct be_fields on_card_fields = FIELDS(on_card_rows);

static const struct be_names verdicts = {be_ask_verdict_words, BE_ASK_VERDICTS},
                             causes = {be_gpu_cause_words, BE_GPU_CAUSES};

static const struct be_field worth_rows[] = {
    {.name = "verdict", .kind = BE_FIELD_WORD, PLACE(be_gpu_worth, verdict), .names = &verdicts},
    {.name = "cause", .kind = BE_FIELD_WORD, PLACE(be_gpu_worth, cause), .names = &causes},
    FIELD(be_gpu_worth, INT, gpus),
    FIELD(be_gpu_worth, REAL, gpu_s),
    FIELD(be_gpu_worth, REAL, held_bytes),
    FIELD(be_gpu_worth, REAL, kernels),
    FIELD(be_gpu_worth, REAL, operations),
    FIELD_AS(be_gpu_worth, REAL, "memory_bytes", bytes),
    FIELD(be_gpu_worth, INT, cores),
    FIELD(be_gpu_worth, REAL, gain),
    FIELD(be_gpu_worth, REAL, gain_lo),
    FIELD(be_gpu_worth, REAL, gain_hi),
    {.name = "on_cores", .kind = BE_FIELD_PART, PLACE(be_gpu_worth, all), .of = &time_fields},
    {.name = "on_one_core", .kind = BE_FIELD_PART, PLACE(be_gpu_worth, one), .of = &time_fields},
    {.name = "run_cores_used_well",
     .kind = BE_FIELD_PART,
     PLACE(be_gpu_worth, well),
     .of = &time_fields},
    {.name = "run_without", .kind = BE_FIELD_PART, PLACE(be_gpu_worth, run), .of = &time_fields},
    FIELD_AS(be_gpu_worth, NOTE, "one_core_as", one_core),
    FIELD(be_gpu_worth, NOTE, smaller),
    FIELD(be_gpu_worth, REAL, smaller_longer),
    FIXED(be_gpu_worth, "cards", card, cards, on_card_fields),
};
const struct be_fields be_fields_gpu_worth = FIELDS(worth_rows);
