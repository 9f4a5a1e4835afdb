/*
 * Numbers from an index, the same in every language: inputs whose products a host can check, and
 * as far from zeros as data is, since that costs a device more power.
 */
#ifndef BE_KERNELS_RANDOM_H
#define BE_KERNELS_RANDOM_H

/* 32 well-mixed bits (the finisher of MurmurHash3 by Appleby, public domain, over a golden-ratio
 * step). */
DEVICE unsigned int be_mix(unsigned int i) {
    i = i * 0x9e3779b9u + 0x7f4a7c15u;
    i ^= i >> 16;
    i *= 0x85ebca6bu;
    i ^= i >> 13;
    i *= 0xc2b2ae35u;
    i ^= i >> 16;
    return i;
}

/* In [-1, 1), a multiple of 2^-(bits - 1), bits <= 24: exact in every format with as many bits. */
DEVICE float be_random(unsigned int i, int bits) {
    int whole = (int)(be_mix(i) >> (32 - bits)) - (1 << (bits - 1));
    return (float)whole / (float)(1 << (bits - 1));
}

#endif
