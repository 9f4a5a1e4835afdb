#include "data/order.h"

#include "base/random.h"

/* Fisher and Yates's shuffle. A remainder of 64 random bits favours small numbers by less than count / 2^64. */
void be_images_order(uint64_t seed, uint64_t epoch, uint32_t *order, size_t count) {
    const uint64_t stream = be_random_bits(seed, epoch);
    for (size_t i = 0; i < count; i++) {
        order[i] = (uint32_t)i;
    }
    for (size_t i = count; i > 1; i--) {
        const size_t k = (size_t)(be_random_bits(stream, i) % i);
        const uint32_t other = order[k];
        order[k] = order[i - 1];
        order[i - 1] = other;
    }
}
