/* A run that was watched -> requests of a job like it: time, cores, memory, GPUs. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "job/words.h"

/* A run is one sample: the next may meet a slower disk, other data, a busier node. */
static const double more_time = 1.5, more_memory = 1.25, twice = 2;
static const double program_mib = 256; /* for what a sampler did not see */

/* Up to what people ask for: 5 minutes, 15 of them above an hour, an hour above six. */
static double round_time(double seconds) {
    const double minute_s = 60;
    double step = minute_s * (seconds <= 60 * minute_s ? 5 : seconds <= 360 * minute_s ? 15 : 60);
    return step * ceil(seconds / step);
}

static double ask_memory_mib(const struct be_job_used *used) {
    const double step = 256;
    double factor = used->out_of_memory ? twice : more_memory;
    return step * ceil((factor * used->memory_bytes / 1048576 + program_mib) / step);
}

/* A core that was hardly touched is not asked for; of a mean nobody knows how it came about. */
static int ask_cores(const struct be_job_used *used, int tasks) {
    const double touched = used->mean ? 0 : 0.25;
    return (int)fmax(ceil((used->cores - touched) / tasks), 1);
}

static void add(char why[BE_NOTE], const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(char why[BE_NOTE], const char *format, ...) {
    size_t length = strlen(why);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why + length, BE_NOTE - length, format, arguments);
    va_end(arguments);
}

/* A file may hold anything: more than there is anywhere is not believed. */
static struct be_job_used believed(const struct be_job_used *used) {
    const double longest_s = 3.2e9, max_cores = 1e6, max_bytes = 1e18;
    struct be_job_used sane = *used;
    sane.elapsed_s = used->elapsed_s >= 0 && used->elapsed_s < longest_s ? used->elapsed_s : NAN;
    sane.cores = used->cores >= 0 && used->cores < max_cores ? used->cores : NAN;
    sane.memory_bytes =
        used->memory_bytes >= 0 && used->memory_bytes < max_bytes ? used->memory_bytes : NAN;
    return sane;
}

static void say_used(const struct be_job_used *used, char why[BE_NOTE]) {
    char text[BE_WORD];
    add(why, "a run took");
    if (!isnan(used->elapsed_s)) {
        add(why, " %s,", be_format_seconds(text, sizeof text, used->elapsed_s, ""));
    }
    if (!isnan(used->cores)) {
        add(why, " %.*f cores", used->cores < 9.95 ? 1 : 0, used->cores);
        if (used->cores_had) {
            add(why, " of %d", used->cores_had);
        }
        if (used->mean) {
            add(why, " on average");
        }
        add(why, ",");
    }
    /* beside --mem=, whose units are powers of 2 */
    be_mib_text(used->memory_bytes / 0x1p20, text);
    add(why, " %s of memory", isnan(used->memory_bytes) ? "an unknown amount" : text);
    if (used->gpus > 0) {
        add(why, ", %d GPU%s", used->gpus, used->gpus > 1 ? "s" : "");
    } else if (used->gpus < 0 && used->gpus_had) {
        add(why, "; which GPUs it used is not known (--gpus=N)");
    } else {
        add(why, used->gpus_had ? ", not the GPU it had" : ", no GPU");
    }
}

void be_job_from_run(const struct be_job_used *saved, struct be_job_request *request,
                     char why[BE_NOTE]) {
    const struct be_job_used sane = believed(saved), *used = &sane;
    const int tasks = used->tasks > 1 ? used->tasks : 1;
    const bool alike =
        tasks == (request->tasks > 1 ? request->tasks : 1) && request->nodes <= 1 && !used->spread;
    *why = '\0';
    say_used(used, why);
    if (isnan(request->time_s) && used->elapsed_s >= 0 && used->ended) {
        request->time_s = round_time(more_time * used->elapsed_s);
        add(why, "; half as much time again");
    }
    if (request->gpus == 0 && !request->gpus_given && used->gpus > 0) {
        request->gpus = used->gpus;
    }
    if (alike && request->cpus == 0 && used->cores >= 0) {
        request->cpus = ask_cores(used, tasks);
    }
    if (alike && isnan(request->memory_mib) && used->tasks_here > 1) {
        add(why, "; it was one of %d tasks on its node: memory is left to you", used->tasks_here);
    } else if (alike && isnan(request->memory_mib) && used->memory_bytes > 0) {
        request->memory_mib = ask_memory_mib(used);
        add(why, used->out_of_memory ? "; twice the memory, since it ran out"
                                     : "; a quarter more memory");
    }
    if (!alike) {
        char whose[BE_WORD] = "one task on one node";
        if (tasks > 1) {
            snprintf(whose, sizeof whose, "%d tasks on one node", tasks);
        }
        add(why, "; cores and memory are those of %s, and left to you",
            used->spread ? "several nodes" : whose);
    }
    if (!used->ended) {
        add(why, "; it did not end in success, so give --time%s",
            used->out_of_memory ? "" : ", and more memory if it ran out");
    }
}
