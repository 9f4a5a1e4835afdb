#include "bench/time_budget.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

static const double min = 0.1;

struct be_due be_due_from(double now_s, double total_s) {
    const double end_s = now_s + total_s;
    return (struct be_due){
        .total_s = total_s, .all_s = end_s, .workload_s = end_s, .size_s = end_s, .first = true};
}

double be_due_share(double now_s, double end_s, double part, double whole) {
    const double left_s = fmax(0, end_s - now_s);
    return part < whole ? now_s + left_s * (part / whole) : now_s + left_s;
}

double be_due_budget(double now_s, double end_s, int cases, double usual_s) {
    const double share_s = (end_s - now_s) / (cases > 0 ? cases : 1);
    return fmax(min * usual_s, fmin(usual_s, share_s));
}

void be_due_workload(struct be_due *due, double now_s, double part, double whole) {
    due->workload_s = be_due_share(now_s, due->all_s, part, whole);
    due->size_s = due->workload_s;
    due->first = true;
    due->over = due->brief = false;
}

bool be_due_size(struct be_due *due, double now_s, int size, int sizes, double seconds) {
    due->size_s = be_due_share(now_s, due->workload_s, 1, sizes - size);
    due->first = size == 0;
    /* A larger size may take all that is left to its workload. */
    due->over = !due->first && (now_s >= due->workload_s || now_s + seconds > due->workload_s);
    return !due->over;
}

bool be_due_goes_on(struct be_due *due, double now_s) {
    due->over |= !due->first && now_s > due->workload_s;
    return !due->over;
}

static void add(char note[BE_NOTE], const char *text) {
    size_t length = strlen(note);
    snprintf(note + length, BE_NOTE - length, "%s%s", length ? ", " : "", text);
}

void be_due_note_left_out(struct be_due *due, const char *workload, uint64_t size) {
    char words[BE_NAME * 2];
    char number[BE_NAME];
    snprintf(words, sizeof words, "%s from %s", workload,
             be_format_n(number, sizeof number, (double)size));
    add(due->left_out, words);
}

void be_due_note_brief(struct be_due *due, const char *workload) {
    add(due->sampled_briefly, workload);
}
