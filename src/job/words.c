#include "job/words.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void be_job_note(struct be_job_plan *plan, const char *format, ...) {
    if (plan->notes < BE_JOB_NOTES_MAX) {
        va_list list;
        va_start(list, format);
        vsnprintf(plan->note[plan->notes++], BE_NOTE, format, list);
        va_end(list);
    }
}

void be_mib_text(double mib, char text[BE_WORD]) {
    bool whole = floor(mib / 1024) * 1024 >= mib;
    snprintf(text, BE_WORD,
             mib < 1024 ? "%.0f MiB"
             : whole    ? "%.0f GiB"
                        : "%.1f GiB",
             mib < 1024 ? mib : mib / 1024);
}

void be_slurm_memory_text(double mib, char text[BE_WORD]) {
    bool whole = floor(mib / 1024) * 1024 >= mib;
    snprintf(text, BE_WORD, whole && mib >= 1024 ? "%.0fG" : "%.0fM",
             whole && mib >= 1024 ? mib / 1024 : ceil(mib));
}

void be_slurm_time_text(double seconds, char text[BE_WORD]) {
    long minutes = lround(ceil(seconds / 60));
    long days = minutes / (24 * 60), hours = minutes / 60 % 24;
    if (days > 0) {
        snprintf(text, BE_WORD, "%ld-%02ld:%02ld:00", days, hours, minutes % 60);
    } else {
        snprintf(text, BE_WORD, "%ld:%02ld:00", hours, minutes % 60);
    }
}

void be_job_comment(struct be_text *text, const char *words) {
    enum { COLUMNS = 80, CONTINUED = 3 }; /* of them "#  " */
    size_t column = 1;
    be_text_add(text, "#");
    while (*words) {
        const size_t blanks = strspn(words, " ");
        const size_t word = strcspn(words + blanks, " ");
        if (column > CONTINUED && column + 1 + word > COLUMNS) {
            be_text_add(text, "\n#  ");
            column = CONTINUED;
        }
        be_text_add(text, " %.*s", (int)word, words + blanks);
        column += 1 + word;
        words += blanks + word;
    }
    be_text_add(text, "\n");
}
