/*
 * A made-up accounting of many jobs, as `sacct -P` writes it: 26 fields, no header. For `make
 * bench`: its numbers are drawn so that lines are as long and as varied as real ones; they say
 * nothing of any cluster. usage: bench_accounting JOBS >FILE
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static uint64_t state = 1;

static uint64_t draw(void) { /* splitmix64 */
    uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static double uniform(void) {
    return ((double)(draw() >> 11) + 0.5) * 0x1p-53;
}

static void moment(int64_t seconds, char text[32]) {
    time_t at = (time_t)seconds;
    struct tm fields;
    gmtime_r(&at, &fields);
    strftime(text, 32, "%Y-%m-%dT%H:%M:%S", &fields);
}

static void span(int64_t seconds, char text[32]) {
    int64_t days = seconds / 86400;
    int hours = (int)(seconds / 3600 % 24), minutes = (int)(seconds / 60 % 60);
    if (days) {
        snprintf(text, 32, "%" PRId64 "-%02d:%02d:%02d", days, hours, minutes, (int)(seconds % 60));
    } else {
        snprintf(text, 32, "%02d:%02d:%02d", hours, minutes, (int)(seconds % 60));
    }
}

static const char *const partitions[] = {"medium", "gpu", "int", "fat", "large", "test"};
static const char *const states[] = {"COMPLETED",           "COMPLETED",    "COMPLETED",
                                     "COMPLETED",           "FAILED",       "TIMEOUT",
                                     "CANCELLED by 380693", "OUT_OF_MEMORY"};

static void line(uint64_t number, int64_t *now_s) {
    char submit[32], start[32], end[32], elapsed[32], limit[32], nodes[64], tres[96];
    *now_s += (int64_t)(draw() % 13);
    const char *partition = partitions[draw() % 6];
    int user = (int)(draw() % 900), cpus = 1 << draw() % 8, gpus = partition[0] == 'g' ? 1 : 0;
    int memory = cpus * 3900, first = (int)(draw() % 400), count = cpus > 64 ? cpus / 64 : 1;
    int64_t wait_s = draw() % 3 ? (int64_t)exp(uniform() * 12.5) - 1 : 0;
    int64_t limit_s = 600 * (1 + (int64_t)(draw() % 288));
    int64_t took_s = (int64_t)(uniform() * (double)limit_s) + 1;
    moment(*now_s, submit);
    moment(*now_s + wait_s, start);
    moment(*now_s + wait_s + took_s, end);
    span(took_s, elapsed);
    span(limit_s, limit);
    snprintf(nodes, sizeof nodes, count > 1 ? "c%03d-[%02d-%02d]" : "c%03d", first, 1, count);
    snprintf(tres, sizeof tres, "billing=%d,cpu=%d,%smem=%dM,node=%d", cpus, cpus,
             gpus ? "gres/gpu=1," : "", memory, count);
    printf("%" PRIu64 "|%" PRIu64
           "|cluster|%s|normal|account%02d|group%02d|%d|user%03d|%d|%s|%s|%s|%s"
           "|%s|0:0|%s|%d|%d|%d|%dM|%s|%s|%s|%s|job_%" PRIx64 "\n",
           number, number, partition, user % 60, user % 60, 10000 + user % 60, user, 20000 + user,
           submit, submit, start, end, elapsed, states[draw() % 8], count, cpus, cpus, memory, tres,
           tres, limit, nodes, draw());
}

int main(int argc, char **argv) {
    uint64_t jobs = argc == 2 ? strtoull(argv[1], NULL, 10) : 0;
    int64_t now_s = 1704067200;
    if (jobs == 0) {
        fprintf(stderr, "usage: bench_accounting JOBS >FILE\n");
        return 2;
    }
    for (uint64_t i = 0; i < jobs; i++) {
        line(1000000 + i, &now_s);
    }
    return fflush(stdout) != 0;
}
