/*
 * How a loop on the CPU writes long results. Which is fastest depends on the processor, on how many
 * cores write, and on where the results end up: it is measured (machine/ceilings.h), and
 * assumed only where a profile of an older version does not say.
 */
#ifndef BE_HOST_STORES_H
#define BE_HOST_STORES_H

enum be_stores {
    BE_STORES_PLAIN,       /* through the caches */
    BE_STORES_AHEAD,       /* through the caches, with lines asked for some KiB ahead */
    BE_STORES_NONTEMPORAL, /* they bypass the caches, in whole lines */
    BE_STORES
};

/* "plain stores", ...: in profiles. */
extern const char *const be_stores_name[BE_STORES];

/* That with this name; fallback where there is none. */
enum be_stores be_stores_named(const char *name, enum be_stores fallback);

#endif
