#include "slots.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH = 1024, EXACT_MOST = 200 }; /* entries, until shapes are rounded */

_Alignas(64) _Thread_local struct thread slots_thread;

static char record_path[PATH]; /* written once, before the program runs */
static pthread_key_t key;
static struct be_call_head *head; /* NULL: not mapped yet */
static uint64_t counted;          /* process that has been counted */

/* ---- the file --------------------------------------------------------------------------------- */

static void *map(int file, size_t at, size_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, (off_t)at);
    return memory == MAP_FAILED ? NULL : memory;
}

/* Below 0: it is not ours, or not what it should be. */
static int open_record(void) {
    struct stat status;
    int file = open(record_path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file >= 0 &&
        (fstat(file, &status) != 0 || !S_ISREG(status.st_mode) || status.st_uid != geteuid() ||
         status.st_size != (off_t)sizeof(struct be_call_record))) {
        close(file);
        file = -1;
    }
    return file;
}

static struct be_call_head *map_head(int file) {
    struct be_call_head *known = __atomic_load_n(&head, __ATOMIC_ACQUIRE), *none = NULL;
    struct be_call_head *mine = known ? known : map(file, 0, sizeof *mine);
    if (!mine || known) {
        return mine;
    }
    bool right = memcmp(mine->magic, BE_CALL_RECORD_MAGIC, sizeof mine->magic) == 0 &&
                 mine->version == BE_CALL_RECORD_VERSION &&
                 mine->bytes == sizeof(struct be_call_record);
    if (right && __atomic_compare_exchange_n(&head, &none, mine, false, __ATOMIC_ACQ_REL,
                                             __ATOMIC_ACQUIRE)) {
        return mine;
    }
    munmap(mine, sizeof *mine);
    return right ? none : NULL; /* another thread was faster */
}

/* ---- slots ------------------------------------------------------------------------------------ */

/* Numbers of processes mean something in their name space only. */
static uint64_t this_process(void) {
    struct stat status;
    uint64_t space = stat("/proc/self/ns/pid", &status) == 0 ? (uint64_t)status.st_ino : 0;
    return space << 32 | (uint64_t)(uint32_t)getpid();
}

static bool is_gone(uint64_t owner, uint64_t process) {
    return owner >> 32 == process >> 32 && owner >> 32 && kill((pid_t)(uint32_t)owner, 0) != 0 &&
           errno == ESRCH;
}

/* Free slots first; then those of processes that ended without giving them back. -1: none. */
static int claim(struct be_call_head *from, uint64_t process) {
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < BE_CALL_SLOTS; i++) {
            uint64_t owner = __atomic_load_n(&from->owner[i], __ATOMIC_RELAXED);
            bool vacant = owner == 0 || (round && is_gone(owner, process));
            if (vacant && __atomic_compare_exchange_n(&from->owner[i], &owner, process, false,
                                                      __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
                return i;
            }
        }
    }
    return -1;
}

static void count_process(struct be_call_head *in, uint64_t process) {
    if (__atomic_exchange_n(&counted, process, __ATOMIC_RELAXED) != process) {
        __atomic_fetch_add(&in->processes, 1, __ATOMIC_RELAXED);
    }
}

static struct be_call_slot *map_slot(int file) {
    struct be_call_head *in = map_head(file);
    uint64_t process = this_process();
    int at = in ? claim(in, process) : -1;
    if (in) {
        count_process(in, process);
    }
    struct be_call_slot *slot =
        at < 0 ? NULL
               : map(file, offsetof(struct be_call_record, slot) + (size_t)at * sizeof *slot,
                     sizeof *slot);
    if (in && !slot) {
        __atomic_fetch_add(&in->lost, 1, __ATOMIC_RELAXED);
    }
    if (at >= 0 && !slot) {
        __atomic_store_n(&in->owner[at], 0, __ATOMIC_RELEASE);
    }
    if (slot) {
        slot->number = (uint64_t)at; /* for giving it back */
        slots_end_run(slot);         /* that of a process which ended without a word */
    }
    return slot;
}

bool slots_take(struct thread *thread) {
    if (thread->slot || thread->hopeless) {
        return thread->slot != NULL;
    }
    int kept = errno;
    int file = record_path[0] ? open_record() : -1;
    thread->slot = file >= 0 ? map_slot(file) : NULL;
    thread->hopeless = !thread->slot;
    thread->random = 1;
    if (file >= 0) {
        close(file);
    }
    if (thread->slot) {
        thread->run = &thread->slot->run;
        pthread_setspecific(key, thread);
    }
    errno = kept;
    return thread->slot != NULL;
}

/* A thread ends. Its memory is still there: its keys go first. */
static void give_back(void *context) {
    struct thread *thread = context;
    struct be_call_slot *slot = thread->slot;
    int kept = errno;
    if (slot) {
        size_t at = slot->number < BE_CALL_SLOTS ? slot->number : 0;
        slots_end_run(slot);
        thread->run = NULL;
        thread->slot = NULL;
        thread->last = NULL;
        munmap(slot, sizeof *slot);
        __atomic_store_n(&head->owner[at], 0, __ATOMIC_RELEASE);
    }
    errno = kept;
}

/* The slot is the parent's. The one thread that is here takes its own with its next call. */
static void in_child(void) {
    slots_thread = (struct thread){0};
    pthread_setspecific(key, NULL);
}

/* pthread_atfork of the GNU C library lies outside its shared library, and calls this; others have it inside. */
extern int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void),
                             void *library) __attribute__((weak));

static bool tell_children(void) {
    typedef int (*registrar)(void (*prepare)(void), void (*parent)(void), void (*child)(void));
    void *address = __register_atfork ? NULL : dlsym(RTLD_DEFAULT, "pthread_atfork");
    registrar other = NULL;
    if (__register_atfork) {
        return __register_atfork(NULL, NULL, in_child, NULL) == 0;
    }
    memcpy(&other, &address, sizeof other);
    return other && other(NULL, NULL, in_child) == 0;
}

void slots_begin(const char *path) {
    size_t length = path ? strlen(path) : 0;
    if (length > 0 && length < sizeof record_path && path[0] == '/' &&
        pthread_key_create(&key, give_back) == 0 && tell_children()) {
        memcpy(record_path, path, length + 1);
    }
}

/* ---- entries ---------------------------------------------------------------------------------- */

void slots_end_run(struct be_call_slot *slot) {
    struct be_call_run *run = &slot->run;
    if (run->site && run->entry < BE_CALL_ENTRIES) {
        struct be_call_entry *entry = &slot->entry[run->entry];
        entry->calls += run->calls;
        entry->skip = run->skip;
        entry->sum_m += entry->rounded ? run->calls * (uint64_t)run->m : 0;
        entry->sum_n += entry->rounded ? run->calls * (uint64_t)run->n : 0;
        entry->sum_k += entry->rounded ? run->calls * (uint64_t)run->k : 0;
    }
    run->site = 0;
    run->calls = 0;
}

static bool is_same(const struct be_call_entry *one, const struct be_call_entry *other) {
    return one->function == other->function && one->type == other->type &&
           one->rounded == other->rounded && one->m == other->m && one->n == other->n &&
           one->k == other->k;
}

static size_t place_of(const struct be_call_entry *entry) {
    uint64_t word = (uint64_t)entry->function << 16 | (uint64_t)(unsigned char)entry->type << 8;
    word = (word ^ (uint64_t)entry->m) * 0x9e3779b97f4a7c15u;
    word = (word ^ word >> 29 ^ (uint64_t)entry->n) * 0x9e3779b97f4a7c15u;
    word = (word ^ word >> 29 ^ (uint64_t)entry->k) * 0x9e3779b97f4a7c15u;
    return (size_t)((word >> 32) % BE_CALL_ENTRIES);
}

static struct be_call_entry *find(struct be_call_slot *slot, const struct be_call_entry *wanted,
                                  uint64_t most) {
    size_t at = place_of(wanted);
    for (int i = 0; i < BE_CALL_ENTRIES; i++) {
        struct be_call_entry *entry = &slot->entry[(at + (size_t)i) % BE_CALL_ENTRIES];
        if (entry->function == 0) {
            if (slot->used >= most) {
                return NULL;
            }
            slot->used++;
            *entry = *wanted;
            return entry;
        }
        if (is_same(entry, wanted)) {
            return entry;
        }
    }
    return NULL;
}

static int64_t round_down(int64_t number) {
    return number > 0 ? (int64_t)1 << (63 - __builtin_clzll((unsigned long long)number)) : 0;
}

struct be_call_entry *slots_entry(struct be_call_slot *slot, const struct be_call_entry *wanted) {
    struct be_call_entry *entry = find(slot, wanted, EXACT_MOST);
    if (entry) {
        return entry;
    }
    struct be_call_entry rounded = *wanted;
    rounded.rounded = 1;
    rounded.m = round_down(wanted->m);
    rounded.n = round_down(wanted->n);
    rounded.k = round_down(wanted->k);
    entry = find(slot, &rounded, BE_CALL_ENTRIES);
    slot->lost += !entry;
    return entry;
}
