/* The cost of the first touch of a page of fresh memory, in small and in huge pages. */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "base/error.h"
#include "machine/probe/cpu/cpu.h"

struct page_kind {
    size_t bytes, region; /* of one page; of what is touched in one sample */
    int advice;
};

static long faults_of_thread(void) {
    struct rusage usage;
    return getrusage(RUSAGE_THREAD, &usage) == 0 ? usage.ru_minflt : 0;
}

/* Fresh memory, touched once a page: seconds a page, and page faults seen. The memory is given back
 * after the clock was read. */
static enum be_status touch_region(const struct page_kind *kind, const struct be_clock *clock,
                                   double *seconds, long *faults, struct be_error *error) {
    const size_t pages = kind->region / kind->bytes;
    const size_t capacity =
        kind->region + kind->bytes; /* one page more, so that the first is whole */
    char *memory = mmap(NULL, capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        return be_fail(error, BE_NOMEM, "page faults: %zu bytes of fresh memory: %s", capacity,
                       strerror(errno));
    }
    (void)madvise(memory, capacity, kind->advice); /* refused: seen in the number of faults */
    const uintptr_t page = kind->bytes;
    char *first = memory + (page - (uintptr_t)memory % page) % page;
    long before = faults_of_thread();
    double start = be_now(clock);
    for (size_t at = 0; at < kind->region; at += kind->bytes) {
        *(volatile char *)(first + at) = 1;
    }
    *seconds = (be_now(clock) - start) / (double)pages;
    *faults = faults_of_thread() - before;
    munmap(memory, capacity);
    return BE_OK;
}

static enum be_status measure_pages(struct be_probe *probe, const struct be_target *target,
                                    const struct page_kind *kind, struct be_error *error) {
    struct be_figure key = be_cpu_key(target, "page_fault", "", 1, (double)kind->bytes);
    const long pages = (long)(kind->region / kind->bytes);
    struct be_samples samples = {0};
    double seconds = NAN;
    long faults = 0;
    enum be_status status = touch_region(kind, &probe->clock, &seconds, &faults, error); /* warm */
    if (status == BE_OK && kind->advice == MADV_HUGEPAGE && (faults < 1 || faults > pages)) {
        be_probe_remark(probe,
                        "%s: page_fault of %zu bytes: not measured: the system gives no huge "
                        "pages here (/sys/kernel/mm/transparent_hugepage/enabled)",
                        target->info->id, kind->bytes);
        return BE_OK;
    }
    double begun = be_now(&probe->clock);
    while (status == BE_OK &&
           be_stop_check(&samples, be_now(&probe->clock) - begun, &probe->rule) == BE_STOP_NONE) {
        status = touch_region(kind, &probe->clock, &seconds, &faults, error);
        status = status == BE_OK ? be_samples_add(&samples, seconds, error) : status;
        status = status == BE_OK ? be_probe_pause(probe, error) : status;
    }
    status = status == BE_OK ? be_probe_add(probe, &key, NAN, &samples, error) : status;
    be_samples_free(&samples);
    return status;
}

enum be_status be_probe_cpu_pages(struct be_probe *probe, const struct be_target *target,
                                  struct be_error *error) {
    static const struct page_kind kind[] = {{4096, 4 << 20, MADV_NOHUGEPAGE},
                                            {2 << 20, 64 << 20, MADV_HUGEPAGE}};
    struct be_team *team;
    enum be_status status = be_team_open(&probe->cores, 1, &team, error); /* pins this thread */
    for (size_t i = 0; i < BE_COUNT(kind) && status == BE_OK; i++) {
        status = measure_pages(probe, target, &kind[i], error);
    }
    be_team_close(team);
    return status;
}
