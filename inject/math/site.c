/*
 * Which function the program would have called. Libraries that a program loads itself (as Python loads NumPy's) are not
 * in the order of search that RTLD_NEXT knows: there the caller's own libraries count, and for callers that belong to
 * no library, or got an address from elsewhere, any library that has the name.
 */
#include "site.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <string.h>

#include "arena.h"

enum { PATH = 1024, OBJECTS = 4096 };

_Atomic unsigned site_epoch;

/* ---- unloading -------------------------------------------------------------------------------- */

static function symbol(void *handle, const char *name) {
    void *address = dlsym(handle, name);
    function found = NULL;
    memcpy(&found, &address, sizeof found);
    return found;
}

static int take_unloads(struct dl_phdr_info *info, size_t size, void *unloads) {
    (void)size;
    *(unsigned long long *)unloads = info->dlpi_subs;
    return 1;
}

static unsigned long long count_unloads(void) {
    unsigned long long unloads = 0;
    dl_iterate_phdr(take_unloads, &unloads);
    return unloads;
}

typedef int (*closer)(void *handle);

static closer real_close(void) {
    static _Atomic(closer) known;
    closer found = atomic_load_explicit(&known, memory_order_relaxed);
    if (!found) {
        found = (closer)symbol(RTLD_NEXT, "dlclose");
        atomic_store_explicit(&known, found, memory_order_relaxed);
    }
    return found;
}

__attribute__((visibility("default"))) int dlclose(void *handle) {
    unsigned long long before = count_unloads();
    closer real = real_close();
    int result = real ? real(handle) : -1;
    if (count_unloads() != before) {
        atomic_fetch_add(&site_epoch, 1);
    }
    return result;
}

/* ---- looking for it --------------------------------------------------------------------------- */

/* The object that has the caller; or, with caller 0, the object at that place in the order of loading. */
struct search {
    uintptr_t caller;
    int wanted, at;
    uintptr_t low, high;
    char path[PATH];
};

static int look_at(struct dl_phdr_info *info, size_t size, void *context) {
    struct search *search = context;
    (void)size;
    uintptr_t low = UINTPTR_MAX, high = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uintptr_t begin = info->dlpi_addr + part->p_vaddr, end = begin + part->p_memsz;
        if (part->p_type == PT_LOAD) {
            low = begin < low ? begin : low;
            high = end > high ? end : high;
        }
    }
    bool here = search->caller ? search->caller >= low && search->caller < high
                               : search->at++ == search->wanted;
    if (here) {
        size_t length = info->dlpi_name ? strlen(info->dlpi_name) : 0;
        memcpy(search->path, info->dlpi_name, length < PATH ? length : 0);
        search->path[length < PATH ? length : 0] = '\0';
        search->low = low;
        search->high = high;
    }
    return here;
}

/* In the library of that path and those that it needs. The main program has no path: RTLD_NEXT has looked there. */
static function find_in(const char *path, const char *name) {
    void *handle = path[0] ? dlopen(path, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    function found = handle ? symbol(handle, name) : NULL;
    if (handle && real_close()) {
        real_close()(handle);
    }
    return found;
}

/* Where several have the name: the first that was loaded. */
static function find_anywhere(const char *name) {
    function found = NULL;
    for (int i = 0; !found && i < OBJECTS; i++) {
        struct search search = {.wanted = i};
        if (!dl_iterate_phdr(look_at, &search)) {
            break;
        }
        bool ours = (uintptr_t)&site_epoch >= search.low && (uintptr_t)&site_epoch < search.high;
        found = ours ? NULL : find_in(search.path, name);
    }
    return found;
}

function site_find(struct site *site, uintptr_t caller, const struct bound **kept_at) {
    int kept = errno;
    struct search search = {.caller = caller, .low = 0, .high = UINTPTR_MAX};
    unsigned epoch = atomic_load(&site_epoch);
    function found = symbol(RTLD_NEXT, site->symbol);
    if (!found) {
        if (!dl_iterate_phdr(look_at, &search)) { /* code that was made at run time */
            search.low = caller;
            search.high = caller + 1;
        }
        found = find_in(search.path, site->symbol);
        found = found ? found : find_anywhere(site->symbol);
        (void)dlerror(); /* ours, not the program's */
    }
    struct bound *bound = found ? arena_take(sizeof *bound) : NULL;
    if (bound) {
        *bound = (struct bound){search.low, search.high, found, epoch, atomic_load(&site->bound)};
        while (!atomic_compare_exchange_weak(&site->bound, &bound->next, bound)) {
        }
    }
    *kept_at = bound;
    errno = kept;
    return found;
}
