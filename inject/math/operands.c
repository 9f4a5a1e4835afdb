/*
 * Some numbers of an operand are read: only those which the function itself reads or writes, and as integers, since the
 * flags of floating-point arithmetic are the program's.
 */
#include "operands.h"

#include <string.h>

enum { SEEN = 4096, SAMPLES = 8 };

/* All threads share them: an operand goes from one to another. Two that write at once leave a wrong print, and with it
 * an operand that counts as changed. */
static struct seen { uint64_t address, bytes, print, made; } seen[SEEN];

static uint64_t load(const uint64_t *from) {
    return __atomic_load_n(from, __ATOMIC_RELAXED);
}

static void store(uint64_t *to, uint64_t value) {
    __atomic_store_n(to, value, __ATOMIC_RELAXED);
}

/* ---- an operand of a call --------------------------------------------------------------------- */

/* In memory: `strided` runs of `run` elements, `leading` elements apart. */
struct block {
    const unsigned char *base;
    uint64_t element, run, strided, leading, bytes;
};

static uint64_t element_of(char type) {
    return type == 's' ? 4 : type == 'z' ? 16 : 8;
}

/* 'T' and 'C', and the numbers of CBLAS for them: 112 and 113. */
static bool is_swapped(const struct operation *call, uint8_t at) {
    if (at == NOWHERE) {
        return false;
    }
    if (call->site->style == STYLE_CBLAS) {
        return (uint32_t)call->argument[at] != 111;
    }
    char letter = *(const char *)call->argument[at];
    return letter != 'N' && letter != 'n';
}

int64_t operands_side(const struct operation *call) {
    uint64_t word = call->argument[call->plan->side];
    bool left = call->site->style == STYLE_CBLAS
                    ? (uint32_t)word == 141
                    : *(const char *)word == 'L' || *(const char *)word == 'l';
    return left ? call->m : call->n;
}

static int64_t dimension(const struct operation *call, uint8_t at) {
    const struct plan *plan = call->plan;
    return at == NOWHERE   ? operands_side(call)
           : at == plan->m ? call->m
           : at == plan->n ? call->n
                           : call->k;
}

/* False: it is empty, or its leading dimension is wrong, which the function will say. */
static bool find_block(const struct operation *call, const struct operand *operand,
                       struct block *block) {
    int64_t rows = dimension(call, operand->rows), columns = dimension(call, operand->columns);
    bool by_rows = call->site->style == STYLE_CBLAS && (uint32_t)call->argument[0] == 101;
    bool swapped = is_swapped(call, operand->swapped) != by_rows;
    int64_t leading = site_integer(call->site, call->argument[operand->leading]);
    int64_t run = swapped ? columns : rows, strided = swapped ? rows : columns;
    block->base = (const unsigned char *)call->argument[operand->at];
    block->element = element_of(call->site->type);
    if (!block->base || run <= 0 || strided <= 0 || leading < run) {
        return false;
    }
    block->run = (uint64_t)run;
    block->strided = (uint64_t)strided;
    block->leading = (uint64_t)leading;
    block->bytes = block->element * block->run * block->strided;
    return true;
}

/* Along the diagonal. */
static uint64_t print_of(const struct block *block) {
    uint64_t print = block->leading;
    for (uint64_t i = 0; i < SAMPLES; i++) {
        uint64_t row = (block->run - 1) * i / (SAMPLES - 1);
        uint64_t column = (block->strided - 1) * i / (SAMPLES - 1), word = 0;
        memcpy(&word, block->base + (row + column * block->leading) * block->element,
               block->element < 8 ? 4 : 8);
        print = (print ^ word) * 0x9e3779b97f4a7c15u;
        print ^= print >> 29;
    }
    return print;
}

/* ---- factors ---------------------------------------------------------------------------------- */

/* +0 and -0 in each part. */
static bool is_zero(uint64_t bits, bool single) {
    return single ? (uint32_t)bits << 1 == 0 : bits << 1 == 0;
}

static bool zero_there(const struct operation *call, uint8_t at, bool real) {
    char type = call->site->type;
    bool single = type == 's' || type == 'c';
    int parts = !real && (type == 'c' || type == 'z') ? 2 : 1;
    const unsigned char *from = at == NOWHERE ? NULL : (const unsigned char *)call->argument[at];
    for (int i = 0; from && i < parts; i++) {
        uint64_t bits = 0;
        memcpy(&bits, from + (size_t)i * (single ? 4 : 8), single ? 4 : 8);
        if (!is_zero(bits, single)) {
            return false;
        }
    }
    return from != NULL;
}

static bool is_single(const struct operation *call) {
    return call->site->type == 's' || call->site->type == 'c';
}

static bool reads(const struct operation *call, const struct operand *operand) {
    const struct plan *plan = call->plan;
    if (operand->read) {
        return plan->alpha_number ? !is_zero(call->alpha, is_single(call))
                                  : !zero_there(call, plan->alpha, plan->alpha_real);
    }
    return plan->beta_number ? !is_zero(call->beta, is_single(call))
                             : plan->beta && !zero_there(call, operand->factor, plan->beta_real);
}

/* ---- operands that were seen ------------------------------------------------------------------ */

/* The operand's place, or that of the one which it displaces. */
static struct seen *find_seen(const struct block *block, bool *known) {
    uint64_t address = (uint64_t)(uintptr_t)block->base;
    size_t at = (size_t)((address >> 4) * 0x9e3779b97f4a7c15u >> 52) % SEEN;
    struct seen *first = &seen[at], *second = &seen[at ^ 1];
    *known = true;
    if (load(&first->address) == address && load(&first->bytes) == block->bytes) {
        return first;
    }
    if (load(&second->address) == address && load(&second->bytes) == block->bytes) {
        return second;
    }
    *known = false;
    return load(&first->address) == 0 || load(&first->address) == address ? first : second;
}

static void keep(struct seen *place, const struct block *block, uint64_t print, bool made) {
    store(&place->address, (uint64_t)(uintptr_t)block->base);
    store(&place->bytes, block->bytes);
    store(&place->print, print);
    store(&place->made, made);
}

static void add_read(const struct block *block, uint64_t weight, struct be_call_entry *entry) {
    bool known = false;
    struct seen *place = find_seen(block, &known);
    uint64_t print = print_of(block), bytes = weight * block->bytes;
    if (known && load(&place->print) == print) {
        entry->same += bytes;
        entry->made += load(&place->made) ? bytes : 0;
        return;
    }
    *(known ? &entry->changed : &entry->fresh) += bytes;
    keep(place, block, print, false);
}

void operands_read(const struct operation *call, uint64_t weight, struct be_call_entry *entry) {
    for (int i = 0; i < call->plan->operands; i++) {
        const struct operand *operand = &call->plan->operand[i];
        struct block block;
        if (find_block(call, operand, &block) && reads(call, operand)) {
            add_read(&block, weight, entry);
        }
    }
}

void operands_written(const struct operation *call, uint64_t weight, struct be_call_entry *entry) {
    for (int i = 0; i < call->plan->operands; i++) {
        const struct operand *operand = &call->plan->operand[i];
        struct block block;
        bool known = false;
        if (operand->written && find_block(call, operand, &block)) {
            keep(find_seen(&block, &known), &block, print_of(&block), true);
            entry->written += weight * block.bytes;
        }
    }
}

/* In words of eight bytes, one run of them; false: nothing of it may be read. */
static bool block_of(const struct array *array, struct block *block) {
    *block = (struct block){.base = (const unsigned char *)(uintptr_t)array->base,
                            .element = 8,
                            .run = array->span / 8,
                            .strided = 1,
                            .leading = array->span / 8,
                            .bytes = array->bytes};
    return array->base && block->run > 0;
}

void operands_array_read(const struct array *array, uint64_t weight, struct be_call_entry *entry) {
    struct block block;
    if (block_of(array, &block)) {
        add_read(&block, weight, entry);
    } else {
        entry->fresh += weight * array->bytes;
    }
}

void operands_array_written(const struct array *array, uint64_t weight,
                            struct be_call_entry *entry) {
    struct block block;
    bool known = false;
    if (block_of(array, &block)) {
        keep(find_seen(&block, &known), &block, print_of(&block), true);
    }
    entry->written += weight * array->bytes;
}

uint64_t operands_behind(const struct operation *call) {
    const struct operand *operand = &call->plan->operand[call->plan->result];
    int64_t elements = dimension(call, operand->rows) * dimension(call, operand->columns);
    return call->argument[operand->at] + element_of(call->site->type) * (uint64_t)elements;
}
