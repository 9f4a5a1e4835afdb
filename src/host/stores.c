#include "host/stores.h"

#include <string.h>

const char *const be_stores_name[BE_STORES] = {
    [BE_STORES_PLAIN] = "plain stores",
    [BE_STORES_AHEAD] = "stores asked for ahead",
    [BE_STORES_NONTEMPORAL] = "stores past the caches",
};

enum be_stores be_stores_named(const char *name, enum be_stores fallback) {
    for (int i = 0; i < BE_STORES; i++) {
        if (strcmp(name, be_stores_name[i]) == 0) {
            return (enum be_stores)i;
        }
    }
    return fallback;
}
