/* When GPUs ran something and when nothing, from made-up intervals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "timeline.h"

static struct timeline timeline;
static struct be_gpu_record record;

static int reset(void **state) {
    (void)state;
    memset(&timeline, 0, sizeof timeline);
    memset(&record, 0, sizeof record);
    return 0;
}

static void add(enum span_kind kind, int device, uint64_t start, uint64_t end) {
    timeline_add(&timeline, &record, kind, device, start, end);
}

static void settle(void) {
    timeline_sweep(&timeline, &record, UINT64_MAX);
}

/* Two streams at once count once; a copy counts where no kernel ran; what is out of order is put in
 * order. */
static void overlaps(void **state) {
    (void)state;
    add(SPAN_KERNEL, 0, 2000, 3000);
    add(SPAN_KERNEL, 0, 1000, 2500);
    add(SPAN_COPY, 0, 2900, 3400);
    add(SPAN_COPY, 0, 3100, 3200);
    add(SPAN_KERNEL, 0, 4000, 4500);
    add(SPAN_KERNEL, 1, 1500, 1600); /* another GPU knows nothing of the first */
    settle();
    assert_int_equal(record.device[0].busy_ns, 2400 + 500);
    assert_int_equal(record.device[0].kernel_ns, 2000 + 500);
    assert_int_equal(record.device[0].copy_ns, 400);
    assert_int_equal(record.device[0].gaps.count, 1);
    assert_int_equal(record.device[0].gaps.total_ns, 600);
    assert_int_equal(record.device[1].busy_ns, 100);
    assert_int_equal(record.device[1].gaps.count, 0);
    assert_int_equal(record.late, 0);
}

/* A gap follows a wait if the host waited when the GPU fell idle, and went on before it had work. */
static void waits(void **state) {
    (void)state;
    add(SPAN_KERNEL, 0, 1000, 2000);
    add(SPAN_SYNC, 0, 1500, 2100);
    add(SPAN_KERNEL, 0, 3000, 4000);
    add(SPAN_SYNC, 0, 3100, 3200); /* for something that had ended before */
    add(SPAN_KERNEL, 0, 5000, 6000);
    add(SPAN_SYNC, 0, 5500, 9000); /* for more than this GPU */
    add(SPAN_KERNEL, 0, 7000, 8000);
    settle();
    assert_int_equal(record.device[0].gaps.count, 3);
    assert_int_equal(record.device[0].synced.count, 1);
    assert_int_equal(record.device[0].synced_ns, 1000);
}

/* More waits than could be remembered, told before the kernels, and said to have begun long ago. */
static void waits_told_first(void **state) {
    (void)state;
    for (uint64_t i = 1; i <= 100; i++) {
        add(SPAN_SYNC, 0, 1, i * 1000 + 410);
    }
    for (uint64_t i = 1; i <= 101; i++) {
        add(SPAN_KERNEL, 0, i * 1000, i * 1000 + 400);
    }
    settle();
    assert_int_equal(record.device[0].synced.count, 100);
    assert_int_equal(record.device[0].synced_ns, 100 * 600);
}

/* A look before all records have come is right for those that are there, and changes nothing. */
static void looked_at_early(void **state) {
    (void)state;
    add(SPAN_KERNEL, 0, 1000, 2000);
    add(SPAN_KERNEL, 0, 5000, 6000);
    timeline_sweep(&timeline, &record, 1500);
    for (int turn = 0; turn < 2; turn++) {
        static struct be_gpu_record seen;
        seen = record;
        timeline_peek(&timeline, &seen, 9000);
        assert_int_equal(seen.device[0].busy_ns, 2000);
        assert_int_equal(seen.device[0].gaps.total_ns, 3000);
        assert_int_equal(seen.device[0].synced.count, 0);
    }
    assert_int_equal(record.device[0].busy_ns, 1000);
    add(SPAN_KERNEL, 0, 3000, 4000);
    add(SPAN_SYNC, 0, 3500, 4100);
    settle();
    assert_int_equal(record.late, 0);
    assert_int_equal(record.device[0].busy_ns, 3000);
    assert_int_equal(record.device[0].gaps.total_ns, 2000);
    assert_int_equal(record.device[0].synced_ns, 1000);
}

static void a_break_has_no_gap(void **state) {
    (void)state;
    add(SPAN_KERNEL, 0, 1000, 2000);
    add(SPAN_BREAK, 0, 5000, 5000);
    add(SPAN_KERNEL, 0, 9000, 9500);
    add(SPAN_KERNEL, 0, 9600, 9700);
    settle();
    assert_int_equal(record.device[0].gaps.count, 1);
    assert_int_equal(record.device[0].gaps.total_ns, 100);
    assert_int_equal(record.device[0].busy_ns, 1600);
}

/* A record that comes after its time was accounted for adds nothing twice, and is counted. */
static void late_ones(void **state) {
    (void)state;
    add(SPAN_KERNEL, 0, 1000, 2000);
    add(SPAN_KERNEL, 0, 3000, 4000);
    timeline_sweep(&timeline, &record, 5000);
    add(SPAN_KERNEL, 0, 1500, 3500);
    add(SPAN_KERNEL, 0, 0, 100);     /* nothing: it has not run */
    add(SPAN_KERNEL, 0, 9000, 8000); /* nothing: backwards */
    settle();
    assert_int_equal(record.late, 1);
    assert_int_equal(record.device[0].busy_ns, 2000);
}

/* More than there is room for, in the order in which two streams end: as if there were room. */
static void more_than_there_is_capacity_for(void **state) {
    (void)state;
    enum { TURNS = 100000 };
    for (uint64_t i = 1; i <= TURNS; i++) {
        add(SPAN_KERNEL, 0, i * 1000 + 500, i * 1000 + 700);
        add(SPAN_KERNEL, 0, i * 1000, i * 1000 + 400);
    }
    settle();
    assert_int_equal(record.device[0].busy_ns, TURNS * 600L);
    assert_int_equal(record.device[0].gaps.count, 2 * TURNS - 1);
    assert_int_equal(record.device[0].gaps.total_ns, TURNS * 400L - 300);
    assert_int_equal(record.late, 0);
    assert_int_equal(timeline.spans, 0);
}

static void buckets(void **state) {
    (void)state;
    assert_int_equal(be_gpu_record_bucket(0), 0);
    assert_int_equal(be_gpu_record_bucket(128), 0);
    assert_int_equal(be_gpu_record_bucket(160), 1);
    assert_int_equal(be_gpu_record_bucket(255), 3);
    assert_int_equal(be_gpu_record_bucket(256), 4);
    assert_int_equal(be_gpu_record_bucket(UINT64_MAX), BE_GPU_RECORD_BUCKETS - 1);
    for (uint64_t ns = 1; ns < (uint64_t)1 << 40; ns += ns / 7 + 1) {
        assert_true(be_gpu_record_bucket(ns) <= be_gpu_record_bucket(ns + 1));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(overlaps, reset),
        cmocka_unit_test_setup(waits, reset),
        cmocka_unit_test_setup(waits_told_first, reset),
        cmocka_unit_test_setup(looked_at_early, reset),
        cmocka_unit_test_setup(a_break_has_no_gap, reset),
        cmocka_unit_test_setup(late_ones, reset),
        cmocka_unit_test_setup(more_than_there_is_capacity_for, reset),
        cmocka_unit_test(buckets),
    };
    return cmocka_run_group_tests_name("timeline", tests, NULL, NULL);
}
