#include "ask/gpu_smaller.h"

#include <math.h>

#include "base/error.h"
#include "observe/rules/look.h"

/* ---- a part of the GPU ---------------------------------------------------------------------- */

/* Parts of an A100, H100 or H200: of seven of its multiprocessors, of eight of its memory. */
static const struct {
    const char *name;
    double units, memory;
} part[] = {{"1g", 1.0 / 7, 1.0 / 8}, {"2g", 2.0 / 7, 2.0 / 8}, {"3g", 3.0 / 7, 4.0 / 8}};

void be_gpu_part(const struct be_trace *trace, int gpu, struct be_gpu_worth *worth) {
    static const double much = 1.1, smallest_bytes = 4e10;
    struct be_gpu_look look;
    const double whole = trace->gpu[gpu].memory_bytes;
    const double used = be_trace_max(trace, BE_GPU_MEMORY, gpu);
    be_look_gpu(trace, gpu, &look);
    for (size_t i = 0; i < BE_COUNT(part); i++) {
        const double slower =
            fmax(fmax(look.sm / part[i].units, look.dram / part[i].memory) / look.running, 1);
        const double longer = 1 + worth->gpu_s * (slower - 1) / trace->elapsed_s;
        if (longer <= much && used < part[i].memory * whole && whole >= smallest_bytes &&
            !trace->gpu[gpu].slice) {
            be_copy_text(worth->smaller, sizeof worth->smaller, part[i].name);
            worth->smaller_longer = longer;
            return;
        }
    }
}

/* ---- a smaller GPU -------------------------------------------------------------------------- */

/* Units that were at work for less than this part of the time decide nothing. */
static const double of_note = 0.01;
/* The driver, and what a framework keeps, need a part of a GPU's memory. */
static const double usable = 0.9;

struct demand {
    double work, here, there; /* operations or bytes; rates of both GPUs */
    bool by_clock; /* of the multiprocessors, which power holds down; memory has its own */
};

static double or_nothing(double value) {
    return value > 0 ? value : 0;
}

/* The work at the card's rates. A unit that it lacks does the work of another one. */
static double least_s(const struct demand *demand, size_t count) {
    double most_s = 0;
    for (size_t i = 0; i < count; i++) {
        most_s = fmax(most_s, demand[i].work > 0 ? demand[i].work / demand[i].there : 0);
    }
    return most_s;
}

/* Kernels are slower by the ratio of whatever may decide, at most: instructions, memory, or units that were at work. */
static double slowest(const struct demand *demand, size_t count, double gpu_s, double instructions,
                      double clock_share) {
    double most = fmax(instructions / clock_share, 1);
    for (size_t i = 0; i < count; i++) {
        const double clock = demand[i].by_clock ? clock_share : 1;
        const double slower = demand[i].here / (demand[i].there * clock);
        const bool matters = or_nothing(demand[i].work / demand[i].here) > of_note * gpu_s;
        most = matters ? fmax(most, slower) : most;
    }
    return most;
}

static void add_card(const struct be_trace *trace, const struct be_card_rates *card,
                     const struct be_gpu_work *work, struct be_gpu_worth *worth) {
    const struct be_trace_rates *r = &trace->rates;
    const double matrix64 = card->gpu_matrix64 > 0 ? card->gpu_matrix64 : card->gpu64;
    const double half = card->gpu_half > 0 ? card->gpu_half : card->gpu32;
    const struct demand demand[] = {{work->plain32, r->gpu32, card->gpu32, true},
                                    {work->plain64, r->gpu64, card->gpu64, true},
                                    {work->half, r->gpu_half, half, true},
                                    {work->matrix64, r->gpu_matrix64, matrix64, true},
                                    {work->bytes, r->gpu_memory, card->gpu_memory, false}};
    const double instructions = r->units * r->clock_hz / (card->units * card->clock_hz);
    const double share = card->clock_share > 0 ? fmin(card->clock_share, 1) : 1;
    const double lo_s = fmax(least_s(demand, BE_COUNT(demand)), work->gpu_s);
    const double hi_s = fmax(
        lo_s, work->gpu_s * slowest(demand, BE_COUNT(demand), work->gpu_s, instructions, share));
    struct be_gpu_on_card *to = &worth->card[worth->cards];
    be_copy_text(to->name, sizeof to->name, card->name);
    to->longer_lo = 1 + (lo_s - work->gpu_s) / trace->elapsed_s;
    to->longer_hi = 1 + (hi_s - work->gpu_s) / trace->elapsed_s;
    worth->cards += isfinite(to->longer_hi);
}

void be_gpu_cards(const struct be_trace *trace, int gpu, const struct be_gpu_work *work,
                  struct be_gpu_worth *worth) {
    const double used = be_trace_max(trace, BE_GPU_MEMORY, gpu);
    for (int i = 0; i < trace->rates.cards; i++) {
        const struct be_card_rates *card = &trace->rates.card[i];
        if (used < usable * card->memory_bytes && !trace->gpu[gpu].slice &&
            card->gpu32 < trace->rates.gpu32) {
            add_card(trace, card, work, worth);
        }
    }
}
