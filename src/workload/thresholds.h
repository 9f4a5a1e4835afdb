/*
 * Sizes at which code on the CPU takes another way, where the caches of a core decide: one table, with the cache that
 * a value supposes and the machine it was measured on. It does not know the caches of the machine at hand: scratch is
 * sized by these values before a core is known, so they are the same everywhere.
 *
 * "Zen 3", "Zen 5": an EPYC; "Xeon": of Emerald Rapids; docs/measurements/ describes them. "Not noted": neither the
 * code nor its history says which machine it was.
 */
#ifndef BE_WORKLOAD_THRESHOLDS_H
#define BE_WORKLOAD_THRESHOLDS_H

/* sort: keys, of 4 bytes. */
enum {
    BE_SORT_ALONE = 4096,        /* so few are sorted by one of several members; not noted */
    BE_SORT_ALONE_V4 = 125000,   /* so few by the only member, if it has AVX-512; not noted */
    BE_SORT_PACKED_V4 = 1000000, /* so few it deals to few buckets, through the caches; not noted */
    BE_SORT_STREAMED =
        1 << 18, /* 1 MiB, a second cache: from here stores past the caches are faster; not noted */
    BE_SORT_BUCKET_KEYS =
        8192, /* 32 KiB, a first cache: no more in a bucket while buckets suffice; not noted */
    BE_SORT_BUCKET_KEYS_V3 = 16384, /* 64 KiB: with AVX2; Zen 3 (docs/workloads/sort.md) */
    BE_SORT_BUCKET_KEYS_V4 =
        40960, /* 160 KiB: with AVX-512, where a larger one is hardly slower; not noted */
    BE_SORT_BUCKET_BITS_MAX = 11 /* 2048 lines, 128 KiB, are being filled at a time; not noted */
};

/* gather: elements, of 4 bytes. */
enum {
    BE_GATHER_BINNED_MIN =
        1 << 20, /* 4 MiB of x, beyond a second cache: by bins from here on; not noted */
    BE_GATHER_BIN_BITS =
        16, /* 256 KiB of x, which a second cache holds: a bin, at the least; not noted */
    BE_GATHER_BINS_MAX = 256, /* 16 KiB of lines being filled, in a first cache; not noted */
    BE_GATHER_AHEAD = 128     /* further on elements are asked for, into the second cache; Xeon */
};

/* solve: orders, and bytes. */
enum {
    BE_SOLVE_LIBRARY_ALONE =
        128, /* up to here a library's threads wait more than they work; not noted */
    BE_SOLVE_TOGETHER = 1024, /* from here all members share a system; four cores of Zen 5 */
    BE_SOLVE_SIDE_BYTES =
        256
        << 10 /* a quarter of a second cache of 1 MiB: four systems are side by side; not noted */
};

#endif
