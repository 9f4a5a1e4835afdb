/* From the words of the list to places of arguments. */
#include <string.h>

#include "arena.h"
#include "site.h"

static const struct {
    const char *arguments, *operands;
} lists[BE_CALL_FUNCTIONS] = {
#define WORDS(id, name, types, fortran, cblas, cblas_complex, arguments, operands)                 \
    {arguments, operands},
    BE_CALL_LIST(WORDS)
#undef WORDS
};

/* CBLAS takes factors as numbers where they are real; they have registers of their own. */
static bool is_number(const struct site *site, char letter) {
    bool real = site->type == 's' || site->type == 'd';
    return site->style == STYLE_CBLAS &&
           (((letter == '*' || letter == '+') && real) || letter == '$' || letter == '&');
}

/* The place of that letter among the arguments, and of those that follow it by `after`. */
static uint8_t place_of(const struct site *site, const char *arguments, char letter, int after) {
    int place = site->style == STYLE_CBLAS; /* the order of the matrices comes first there */
    for (const char *at = arguments; *at; at++) {
        if (*at == letter) {
            return is_number(site, letter) ? NOWHERE : (uint8_t)(place + after);
        }
        place += !is_number(site, *at);
    }
    return NOWHERE;
}

static bool has(const char *arguments, char letter) {
    return strchr(arguments, letter) != NULL;
}

/* `word`: "A<mkt". */
static void read_operand(const struct site *site, const char *arguments, const char *word,
                         struct operand *operand) {
    operand->at = place_of(site, arguments, word[0], 0);
    operand->leading = place_of(site, arguments, word[0], 1);
    operand->read = word[1] != '>';
    operand->written = word[1] != '<';
    operand->rows = word[2] == 's' ? NOWHERE : place_of(site, arguments, word[2], 0);
    operand->columns = word[3] == 's' ? NOWHERE : place_of(site, arguments, word[3], 0);
    bool swaps = word[4] && word[4] != ' ';
    operand->swapped = swaps ? place_of(site, arguments, word[4], 0) : NOWHERE;
    char factor = has(arguments, '+') ? '+' : '&';
    operand->factor = word[1] == '>' ? place_of(site, arguments, factor, 0) : NOWHERE;
}

static void read_plan(const struct site *site, struct plan *plan) {
    const char *arguments = lists[site->number].arguments, *word = lists[site->number].operands;
    char alpha = has(arguments, '*') ? '*' : '$', beta = has(arguments, '+') ? '+' : '&';
    plan->m = place_of(site, arguments, 'm', 0);
    plan->n = place_of(site, arguments, 'n', 0);
    plan->k = place_of(site, arguments, 'k', 0);
    plan->side = place_of(site, arguments, 's', 0);
    plan->vectors = place_of(site, arguments, 'j', 0);
    plan->length = place_of(site, arguments, 'q', 0);
    plan->plain = plan->side == NOWHERE && plan->vectors == NOWHERE && plan->length == NOWHERE;
    plan->alpha = place_of(site, arguments, alpha, 0);
    plan->alpha_number = has(arguments, alpha) && is_number(site, alpha);
    plan->alpha_real = alpha == '$';
    plan->beta_real = beta == '&';
    plan->beta = has(arguments, beta);
    plan->beta_number = plan->beta && is_number(site, beta);
    plan->operands = 0;
    plan->result = NOWHERE;
    while (*word && plan->operands < OPERANDS) {
        struct operand *operand = &plan->operand[plan->operands];
        read_operand(site, arguments, word, operand);
        plan->result = operand->written ? plan->operands : plan->result;
        plan->operands++;
        const char *blank = strchr(word, ' ');
        word = blank ? blank + 1 : "";
    }
}

const struct plan *site_plan(struct site *site) {
    const struct plan *plan = atomic_load_explicit(&site->plan, memory_order_acquire);
    if (plan) {
        return plan;
    }
    struct plan *fresh = arena_take(sizeof *fresh);
    if (fresh) {
        read_plan(site, fresh);
        atomic_store_explicit(&site->plan, fresh, memory_order_release);
    }
    return fresh;
}
