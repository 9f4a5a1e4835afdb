/*
 * Exchanges between the lanes of vectors as wide as the instruction set that the including file is
 * compiled for. __builtin_shufflevector, of gcc and clang, wants its indices one by one, as constants:
 * LANES32(f, ...) is f(0, ...), f(1, ...), for each float of a vector, LANES64 for each double.
 */
#ifndef BE_WORKLOAD_LANES_H
#define BE_WORKLOAD_LANES_H

#define LANES_2(f, ...) f(0, __VA_ARGS__), f(1, __VA_ARGS__)
#define LANES_4(f, ...) LANES_2(f, __VA_ARGS__), f(2, __VA_ARGS__), f(3, __VA_ARGS__)
#define LANES_8(f, ...)                                                                            \
    LANES_4(f, __VA_ARGS__), f(4, __VA_ARGS__), f(5, __VA_ARGS__), f(6, __VA_ARGS__),              \
        f(7, __VA_ARGS__)
#define LANES_16(f, ...)                                                                           \
    LANES_8(f, __VA_ARGS__), f(8, __VA_ARGS__), f(9, __VA_ARGS__), f(10, __VA_ARGS__),             \
        f(11, __VA_ARGS__), f(12, __VA_ARGS__), f(13, __VA_ARGS__), f(14, __VA_ARGS__),            \
        f(15, __VA_ARGS__)

#if defined(__AVX512F__)
#define LANES32 LANES_16
#define LANES64 LANES_8
#define LANES_BYTES 64
#elif defined(__AVX__)
#define LANES32 LANES_8
#define LANES64 LANES_4
#define LANES_BYTES 32
#else
#define LANES32 LANES_4
#define LANES64 LANES_2
#define LANES_BYTES 16
#endif

/* Of rows a and b the UPPER or LOWER one, once squares of half x half numbers off the diagonal changed
 * places: with 4 lanes and half 1, a0 b0 a2 b2 and a1 b1 a3 b3; with half 2, a0 a1 b0 b1 and
 * a2 a3 b2 b3. */
#define EXCHANGED32(row, a, b, half)                                                               \
    __builtin_shufflevector(a, b, LANES32(row, half, LANES_BYTES / 4))
#define EXCHANGED64(row, a, b, half)                                                               \
    __builtin_shufflevector(a, b, LANES64(row, half, LANES_BYTES / 8))
#define UPPER(k, half, lanes) ((k) & (half) ? (k) + (lanes) - (half) : (k))
#define LOWER(k, half, lanes) ((UPPER(k, half, lanes) + (half)) % (2 * (lanes)))

#endif
