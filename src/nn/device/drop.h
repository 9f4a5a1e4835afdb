/*
 * Dropout's random numbers on devices: those of nn/dropout.h.
 */
#ifndef BE_NN_DROP_H
#define BE_NN_DROP_H

/* The word that decides about one element of one image. */
DEVICE unsigned int be_drop_word(LONG seed, int step, int layer, LONG image, LONG element) {
    unsigned int word[4] = {(unsigned int)(element / 4), (unsigned int)image, (unsigned int)step,
                            (unsigned int)layer};
    unsigned int key_a = (unsigned int)seed;
    unsigned int key_b = (unsigned int)(seed >> 32);
    for (int round = 0; round < 10; round++) {
        const unsigned LONG a = (unsigned LONG)0xd2511f53u * word[0];
        const unsigned LONG b = (unsigned LONG)0xcd9e8d57u * word[2];
        word[0] = (unsigned int)(b >> 32) ^ word[1] ^ key_a;
        word[1] = (unsigned int)b;
        word[2] = (unsigned int)(a >> 32) ^ word[3] ^ key_b;
        word[3] = (unsigned int)a;
        key_a += 0x9e3779b9u;
        key_b += 0xbb67ae85u;
    }
    const int at = (int)(element % 4);
    return at == 0 ? word[0] : at == 1 ? word[1] : at == 2 ? word[2] : word[3];
}

#endif
