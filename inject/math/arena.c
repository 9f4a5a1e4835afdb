#include "arena.h"

#include <stdatomic.h>

enum { ARENA_BYTES = 512 << 10 };

void *arena_take(size_t bytes) {
    static _Alignas(16) unsigned char memory[ARENA_BYTES];
    static atomic_size_t used;
    size_t size = (bytes + 15) & ~(size_t)15;
    size_t at = atomic_load(&used);
    while (at + size <= ARENA_BYTES) {
        if (atomic_compare_exchange_weak(&used, &at, at + size)) {
            return memory + at;
        }
    }
    return NULL;
}
