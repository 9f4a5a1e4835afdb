/* Why the first place is first, in words. */
#include <math.h>
#include <stdio.h>

#include "report/decide/decide.h"
#include "report/queue/queue.h"

struct side {
    const struct be_decide_row *row;
    char name[2 * BE_NAME + 8];
};

static struct side side_at(const struct be_decide_table *table, int i) {
    struct side side = {&table->decision.row[i], ""};
    const struct be_decide_place *place = &table->place[side.row->place];
    snprintf(side.name, sizeof side.name, "%s on %s", place->name, place->where);
    if (place->here) {
        snprintf(side.name, sizeof side.name, "%s here", place->name);
    }
    return side;
}

static void add_wait(const struct side *side, struct be_text *out) {
    char wait[BE_WORD];
    if (side->row->wait_q50_s > 0) {
        be_text_add(out, "waits %s in the median",
                    be_format_wait(wait, sizeof wait, side->row->wait_q50_s, "?"));
    } else {
        be_text_add(out, "waits for nothing");
    }
}

/* "31 x faster", or that there is next to no difference. */
static void add_speed(double faster, struct be_text *out) {
    char ratio[BE_WORD];
    if (faster > 1.05) {
        be_text_add(out, "computes %s x as fast",
                    be_format_ratio(ratio, sizeof ratio, faster, "?"));
    } else {
        be_text_add(out, "computes about as fast");
    }
}

static void add_reason(const struct be_decide_table *table, const struct side *first,
                       const struct side *next, struct be_text *out) {
    const struct be_decision *d = &table->decision;
    char one[BE_WORD];
    switch (d->reason) {
    case BE_REASON_COMPUTES:
        be_text_add(out, ": it ");
        add_speed(d->faster, out);
        be_text_add(out, " as %s, and waits no longer", next->name);
        break;
    case BE_REASON_DESPITE:
        be_text_add(out, ": it ");
        add_wait(first, out);
        be_text_add(out, ", but ");
        add_speed(d->faster, out);
        be_text_add(out, " as %s", next->name);
        break;
    case BE_REASON_WAITS:
        be_text_add(out, ": %s ", next->name);
        add_speed(1 / d->faster, out);
        be_text_add(out, ", but ");
        add_wait(next, out);
        break;
    case BE_REASON_DEADLINE:
        be_text_add(out, ": in the median %s is done sooner, but the deadline is met less surely",
                    next->name);
        break;
    case BE_REASON_NO_WAITS:
        be_text_add(out, ", if nothing waits: it ");
        add_speed(d->faster, out);
        be_text_add(out, " as %s. It stays first while it waits at most %s longer", next->name,
                    be_format_wait(one, sizeof one, d->extra_wait_s, "?"));
        break;
    case BE_REASON_CLOSE:
    case BE_REASON_ONLY:
    case BE_REASONS:
        break;
    }
    be_text_add(out, ".");
}

/* "With more than 14 h of work it would be the other: yours is 3 h". */
static void add_turn(const struct be_decide_table *table, const struct side *first,
                     const struct side *next, struct be_text *out) {
    const struct be_decision *d = &table->decision;
    char at[BE_WORD], yours[BE_WORD];
    if (isnan(d->turns_at) || d->reason == BE_REASON_CLOSE) {
        return;
    }
    be_text_add(out, " With %s than %s of work for %s, %s would be first: yours is %s.",
                d->turns_at > 1 ? "more" : "less",
                be_format_wait(at, sizeof at, d->turns_first_s, "?"),
                table->place[first->row->place].name, next->name,
                be_format_wait(yours, sizeof yours, first->row->busy.q50_s, "?"));
}

/* "1 a100 on narval would be first if it waited less than 3 h". */
static void add_unknown(const struct be_decide_table *table, struct be_text *out) {
    const struct be_decision *d = &table->decision;
    char wait[BE_WORD];
    if (d->unknown >= 0) {
        const struct side side = side_at(table, d->unknown);
        be_text_add(out, " %s, whose wait is not known, would be first if it waited less than %s.",
                    side.name, be_format_wait(wait, sizeof wait, d->unknown_wait_s, "?"));
    }
}

static void add_answer(const struct be_decide_table *table, struct be_text *out) {
    const struct be_decision *d = &table->decision;
    const struct side first = side_at(table, 0);
    if (d->next < 0) {
        be_text_add(out, d->rows > 1 ? "Only the wait of %s is known." : "Only one place: %s.",
                    first.name);
        return;
    }
    const struct side next = side_at(table, d->next);
    if (d->reason == BE_REASON_CLOSE) {
        be_text_add(out,
                    "Too close to call: %s and %s. Each is done first about as often as the other.",
                    first.name, next.name);
        return;
    }
    be_text_add(out, "First is %s", first.name);
    add_reason(table, &first, &next, out);
    add_turn(table, &first, &next, out);
}

void be_decide_sentence(const struct be_decide_table *table, struct be_text *out) {
    add_answer(table, out);
    add_unknown(table, out);
}
