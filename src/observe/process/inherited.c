#include "observe/process/inherited.h"

#include <math.h>

#include "observe/process/pids.h"

/* Nobody may wait for it at all; a process that ignores its children's ends inherits nothing. */
enum { PATIENCE = 3 };

void be_heirs_add(struct be_heirs *heirs, const struct be_member *member) {
    if (heirs->count == BE_HEIRS_MAX) {
        return;
    }
    struct be_left *left = &heirs->left[heirs->count++];
    *left = (struct be_left){.pid = member->stat.pid, .parent = member->stat.parent};
    for (int k = 0; k < BE_GROWNS; k++) {
        left->old[k] = member->old[k];
        left->grown[k] = member->grown[k];
    }
}

/* Its parent; where that has ended with it, who was the parent of that. NULL: nobody who is looked at. */
static struct be_member *heir_of(const struct be_heirs *heirs, const struct be_left *left,
                                 struct be_member *member, int members) {
    int parent = left->parent;
    for (int generation = 0; generation <= heirs->count; generation++) {
        bool there;
        int at = be_pids_place(member, members, sizeof *member, parent, &there);
        if (there) {
            return &member[at];
        }
        int i = 0;
        while (i < heirs->count && heirs->left[i].pid != parent) {
            i++;
        }
        if (i == heirs->count) {
            return NULL;
        }
        parent = heirs->left[i].parent;
    }
    return NULL;
}

/* As much has come to it at once as the one that ended had used. */
static bool has_inherited(const struct be_member *heir, const struct be_left *left) {
    for (int k = 0; k < BE_INHERITED; k++) {
        if (heir->inherited[k] < left->grown[k] - 1e-6) {
            return false;
        }
    }
    return true;
}

static void inherit(struct be_member *heir, const struct be_left *left) {
    for (int k = 0; k < BE_GROWNS; k++) {
        heir->old[k] += isnan(left->old[k]) ? 0 : left->old[k];
    }
    for (int k = 0; k < BE_INHERITED; k++) {
        heir->inherited[k] -= left->grown[k];
    }
    static const enum be_grown io[] = {BE_GROWN_READ, BE_GROWN_WRITTEN};
    for (int i = 0; i < 2; i++) {
        double bytes = left->grown[io[i]];
        heir->last_io[i] = fmin(heir->last_io[i] + (isnan(bytes) ? 0 : bytes), heir->grown[io[i]]);
    }
}

void be_heirs_settle(struct be_heirs *heirs, struct be_member *member, int members, double now_s) {
    bool keep[BE_HEIRS_MAX];
    int kept = 0;
    for (int i = 0; i < heirs->count; i++) {
        struct be_left *left = &heirs->left[i];
        struct be_member *heir = heir_of(heirs, left, member, members);
        keep[i] = heir && heir->seen_s < now_s; /* the budget did not come to it */
        if (heir && !keep[i]) {
            bool has = has_inherited(heir, left);
            if (has) {
                inherit(heir, left);
            }
            keep[i] = !has && ++left->looks < PATIENCE;
        }
    }
    for (int i = 0; i < heirs->count; i++) {
        if (keep[i]) {
            heirs->left[kept++] = heirs->left[i];
        }
    }
    heirs->count = kept;
}
