/* The text report where data were measured cold only: nothing of it is empty, or speaks of warm ones. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "report/comparison/comparison.h"

enum { SIZES = 2, PLACES = 2, VARIANTS = 2, CACHES = 2 };

static struct be_result made[SIZES * PLACES * VARIANTS * CACHES];

/* On 4 cores and resident, of two variants; a cold call takes twice as long and twice the energy. */
static struct be_result result_of(uint64_t size, bool device, bool other, enum be_cache cache) {
    const double times = (device ? 1 : 4) * (other ? 1.5 : 1) * (cache == BE_COLD ? 2 : 1);
    struct be_result r = {.workload = "power",
                          .dtype = "float32",
                          .size = size,
                          .threads = device ? 0 : 4,
                          .placement = device ? BE_RESIDENT : BE_HOST,
                          .cache = cache,
                          .joules = 0.1 * times,
                          .joules_lo = 0.1 * times,
                          .joules_hi = 0.1 * times,
                          .host_joules = NAN,
                          .energy_s = 1e-3 * times,
                          .energy_source = "NVML"};
    be_copy_text(r.device, sizeof r.device, device ? "cuda:0" : "cpu");
    be_copy_text(r.variant, sizeof r.variant, other ? "other" : "plain");
    r.phase[BE_FIRST].median_s = NAN;
    r.phase[BE_TOTAL] = (struct be_summary){
        .n = 20, .median_s = 1e-3 * times, .lo_s = 1e-3 * times, .hi_s = 1e-3 * times};
    return r;
}

/* `hot`: at how many of the sizes there are hot times too. */
static void write_report(int hot, struct be_text *out) {
    static const uint64_t sizes[SIZES] = {1000, 100000};
    struct be_comparison all = {.result = made};
    for (int i = 0; i < SIZES * PLACES * VARIANTS * CACHES; i++) {
        const int size = i / (PLACES * VARIANTS * CACHES);
        const enum be_cache cache = i % CACHES ? BE_COLD : BE_HOT;
        if (cache == BE_COLD || size < hot) {
            made[all.results++] = result_of(sizes[size], i / (VARIANTS * CACHES) % PLACES,
                                            i / CACHES % VARIANTS, cache);
        }
    }
    *out = (struct be_text){0};
    be_report_text(&all, out);
    assert_non_null(out->data);
}

static void has(const struct be_text *out, const char *wanted, bool there) {
    if ((strstr(out->data, wanted) != NULL) != there) {
        fail_msg("\"%s\" is %s\n%s", wanted, there ? "not in" : "in", out->data);
    }
}

static void energy_of_cold_calls(void **state) {
    (void)state;
    struct be_text out;
    write_report(0, &out);
    has(&out, "energy a call, n = 1e5 cold: 4 cores 800 mJ (100 W), resident 200 mJ (100 W)", true);
    has(&out, "resident takes 1/4.0 of the", true);
    be_text_free(&out);
    write_report(SIZES, &out);
    has(&out, "energy a call, n = 1e5: 4 cores 400 mJ (100 W), resident 100 mJ (100 W)", true);
    be_text_free(&out);
}

static void each_way_of_cold_calls(void **state) {
    (void)state;
    struct be_text out;
    write_report(0, &out);
    has(&out,
        "  each way, n = 1e5 cold     4 cores    resident\n"
        "  plain                   8.00ms <1%  2.00ms <1%\n"
        "  other                   12.0ms <1%  3.00ms <1%\n",
        true);
    be_text_free(&out);
    write_report(SIZES, &out);
    has(&out,
        "  each way, n = 1e5     4 cores    resident\n"
        "  plain              4.00ms <1%  1.00ms <1%\n",
        true);
    be_text_free(&out);
}

/* A row above it is spoken of where there is one. */
static void cold_is_explained(void **state) {
    (void)state;
    static const char alone[] = "  cold      data in no cache before the call\n";
    static const char beside[] =
        "  cold      data in no cache before the call; in the row above (hot), they were\n";
    for (int hot = 0; hot <= SIZES; hot++) {
        struct be_text out;
        write_report(hot, &out);
        has(&out, alone, hot == 0);
        has(&out, beside, hot > 0);
        has(&out, "1e5 cold  ", hot < SIZES);
        be_text_free(&out);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energy_of_cold_calls),
        cmocka_unit_test(each_way_of_cold_calls),
        cmocka_unit_test(cold_is_explained),
    };
    return cmocka_run_group_tests_name("cold", tests, NULL, NULL);
}
