#include "report/common/names.h"

#include <string.h>

#include "base/error.h"
#include "code/loop.h"
#include "observe/rules/finding.h"
#include "report/profile/diff.h"

static const char *const placement[] = {
    [BE_HOST] = "host",
    [BE_COPY] = "copy",
    [BE_PRELOAD] = "preload",
    [BE_RESIDENT] = "resident",
};

static const char *const cache[] = {[BE_HOT] = "hot", [BE_COLD] = "cold", [BE_BEYOND] = "beyond"};

static const char *const status[] = {
    [BE_RESULT_OK] = "ok",
    [BE_RESULT_ABSENT] = "absent",
    [BE_RESULT_SKIPPED] = "skipped",
    [BE_RESULT_WRONG] = "wrong",
    [BE_RESULT_IMPOSSIBLE] = "impossible",
    [BE_RESULT_FAILED] = "failed",
};

static const char *const code[] = {
    [BE_CODE_EXPERT] = "expert",
    [BE_CODE_PLAIN] = "plain",
    [BE_CODE_LIBRARY] = "library",
};

static const char *const breakeven[] = {
    [BE_EVEN_ALWAYS] = "always",   [BE_EVEN_FROM] = "from",   [BE_EVEN_NEVER] = "never",
    [BE_EVEN_BETWEEN] = "between", [BE_EVEN_CLOSE] = "close",
};

static const char *const limit[] = {
    [BE_BY_NONE] = NULL,     [BE_BY_MEMORY] = "memory",
    [BE_BY_CACHE] = "cache", [BE_BY_OPERATIONS] = "operations",
    [BE_BY_BUS] = "bus",     [BE_BY_LATENCY] = "latency",
};

static const char *const stop[] = {
    [BE_STOP_NONE] = NULL,       [BE_STOP_PRECISE] = "precise",     [BE_STOP_STABLE] = "stable",
    [BE_STOP_BUDGET] = "budget", [BE_STOP_CANCELLED] = "cancelled", [BE_STOP_ONCE] = "once",
};

static const char *const phase[] = {
    [BE_FIRST] = "first", [BE_IN] = "in",       [BE_WORK] = "work",
    [BE_OUT] = "out",     [BE_TOTAL] = "total",
};

static const char *const kind[] = {
    [BE_KIND_CPU] = "cpu",
    [BE_KIND_GPU] = "gpu",
    [BE_KIND_OTHER] = "other",
};

static const char *const origin[] = {
    [BE_ORIGIN_HERE] = NULL,
    [BE_ORIGIN_ELSEWHERE] = "elsewhere",
    [BE_ORIGIN_PREDICTED] = "predicted",
};

static const char *const unit[] = {
    [BE_UNIT_BYTES_S] = "bytes/s", [BE_UNIT_FLOP_S] = "flop/s", [BE_UNIT_SECONDS] = "s",
    [BE_UNIT_PER_S] = "1/s",       [BE_UNIT_HZ] = "Hz",
};

static const char *const source[] = {
    [BE_SOURCE_MEASURED] = "measured",
    [BE_SOURCE_DATA_SHEET] = "data sheet",
};

static const char *const verdict[] = {
    [BE_DIFF_SAME] = "same",     [BE_DIFF_CLOSE] = "close",   [BE_DIFF_BETTER] = "better",
    [BE_DIFF_WORSE] = "worse",   [BE_DIFF_ONCE] = "once",     [BE_DIFF_SHEET] = "sheet",
    [BE_DIFF_ONLY_A] = "only a", [BE_DIFF_ONLY_B] = "only b",
};

static const char *const end[] = {
    [BE_END_RUNNING] = "running",
    [BE_END_EXITED] = "exited",
    [BE_END_KILLED] = "killed",
    [BE_END_LOST] = "lost",
};

static const char *const scope[] = {
    [BE_OF_TREE] = "tree",       [BE_OF_GROUP] = "group",   [BE_OF_NODE] = "node",
    [BE_OF_PROCESS] = "process", [BE_OF_THREAD] = "thread", [BE_OF_GPU] = "gpu",
};

static const char *const in[] = {
    [BE_IN_CORES] = "cores", [BE_IN_SHARE] = "share",       [BE_IN_COUNT] = "count",
    [BE_IN_PER_S] = "1/s",   [BE_IN_BYTES] = "bytes",       [BE_IN_BYTES_S] = "bytes/s",
    [BE_IN_WATTS] = "W",     [BE_IN_CELSIUS] = "degrees C", [BE_IN_HERTZ] = "Hz",
    [BE_IN_SECONDS] = "s",
};

static const char *const weight[] = {
    [BE_WEIGHT_GOOD] = "good",
    [BE_WEIGHT_NOTE] = "note",
    [BE_WEIGHT_COST] = "cost",
};

static const char *const repaid[] = {
    [BE_REPAID_CALLS] = "calls",
    [BE_REPAID_NEVER] = "never",
    [BE_REPAID_CLOSE] = "close",
};

#define NAMES(table)                                                                               \
    { (table), (int)BE_COUNT(table) }

const struct be_names be_names_placement = NAMES(placement);
const struct be_names be_names_cache = NAMES(cache);
static const char *const code_chain[] = {
    [BE_CHAIN_NONE] = "none-seen",
    [BE_CHAIN_SUM] = "sum",
    [BE_CHAIN_STEPS] = "steps",
};
const struct be_names be_names_code_chain = NAMES(code_chain);

const struct be_names be_names_status = NAMES(status);
const struct be_names be_names_breakeven = NAMES(breakeven);
const struct be_names be_names_repaid = NAMES(repaid);
const struct be_names be_names_code = NAMES(code);
const struct be_names be_names_limit = NAMES(limit);
const struct be_names be_names_stop = NAMES(stop);
const struct be_names be_names_phase = NAMES(phase);
const struct be_names be_names_kind = NAMES(kind);
const struct be_names be_names_origin = NAMES(origin);
const struct be_names be_names_unit = NAMES(unit);
const struct be_names be_names_source = NAMES(source);
const struct be_names be_names_verdict = NAMES(verdict);
const struct be_names be_names_end = NAMES(end);
const struct be_names be_names_scope = NAMES(scope);
const struct be_names be_names_in = NAMES(in);
const struct be_names be_names_weight = NAMES(weight);

const char *be_names_word(const struct be_names *names, int value) {
    return value >= 0 && value < names->count ? names->word[value] : NULL;
}

int be_names_find(const struct be_names *names, const char *word) {
    for (int i = 0; i < names->count; i++) {
        const char *here = names->word[i];
        if (here && word ? strcmp(here, word) == 0 : here == word) {
            return i;
        }
    }
    return -1;
}
