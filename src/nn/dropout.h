/*
 * Random numbers that decide which numbers dropout keeps: from seed, step, layer, image and element alone, so that
 * any thread can have them in any order. Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel Random Numbers: As
 * Easy as 1, 2, 3; SC 2011), whose four words serve four elements that follow each other.
 */
#ifndef BE_NN_DROPOUT_H
#define BE_NN_DROPOUT_H

#include <stdint.h>

#define BE_PHILOX_ROUNDS 10
#define BE_PHILOX_A 0xd2511f53u
#define BE_PHILOX_B 0xcd9e8d57u
#define BE_PHILOX_KEY_A 0x9e3779b9u
#define BE_PHILOX_KEY_B 0xbb67ae85u

/* The words of elements 4 quarter to 4 quarter + 3. Training goes on for less than 2^32 steps. */
static inline void be_nn_philox(uint64_t seed, uint32_t step, uint32_t layer, uint32_t image,
                                uint32_t quarter, uint32_t word[4]) {
    uint32_t key_a = (uint32_t)seed;
    uint32_t key_b = (uint32_t)(seed >> 32);
    word[0] = quarter;
    word[1] = image;
    word[2] = step;
    word[3] = layer;
    for (int round = 0; round < BE_PHILOX_ROUNDS; round++) {
        const uint64_t a = (uint64_t)BE_PHILOX_A * word[0];
        const uint64_t b = (uint64_t)BE_PHILOX_B * word[2];
        word[0] = (uint32_t)(b >> 32) ^ word[1] ^ key_a;
        word[1] = (uint32_t)b;
        word[2] = (uint32_t)(a >> 32) ^ word[3] ^ key_b;
        word[3] = (uint32_t)a;
        key_a += BE_PHILOX_KEY_A;
        key_b += BE_PHILOX_KEY_B;
    }
}

/* A word below it drops its element. */
static inline uint32_t be_nn_drop_below(float drop) {
    return (uint32_t)((double)drop * 0x1p32);
}

#endif
