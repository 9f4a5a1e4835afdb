/*
 * The keys of a catalogue file, as data: reader and writer share the tables, so a key added to one
 * of them is read and written.
 */
#ifndef BE_CLUSTER_FIELDS_H
#define BE_CLUSTER_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

enum be_key_kind {
    BE_KEY_TEXT,  /* char[room]; empty: left out */
    BE_KEY_REAL,  /* double within least .. most; NAN: left out */
    BE_KEY_INT,   /* int within least .. most; 0: left out */
    BE_KEY_TRUTH, /* bool; false: left out */
    BE_KEY_WORD,  /* an enum, by its word */
    BE_KEY_TEXTS, /* char[count][room], and an int that says how many */
    BE_KEY_INTS   /* int[count], likewise */
};

struct be_key {
    const char *name;
    enum be_key_kind kind;
    bool needed;
    size_t at, capacity;
    size_t many_at;  /* of BE_KEY_TEXTS and BE_KEY_INTS: where the int is */
    int count;       /* of those: room; of BE_KEY_WORD: words */
    double min, max; /* of numbers */
    const char *(*word)(int value);
};

struct be_keys {
    const char *name; /* of the list that such records are in: "gpus" */
    const struct be_key *key;
    size_t count;
    size_t record;         /* bytes of one */
    size_t list_at, in_at; /* in struct be_cluster: pointer and count; of the cluster itself 0 */
};

extern const struct be_keys be_keys_cluster;
extern const struct be_keys be_keys_lists[]; /* of a cluster; ends with name NULL */

#endif
