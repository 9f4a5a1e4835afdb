#include "observe/process/pids.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static int ascending(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static bool add(struct be_pids *pids, int pid) {
    if (pids->count == pids->capacity) {
        int capacity = pids->capacity ? 2 * pids->capacity : 256;
        int *more = realloc(pids->pid, (size_t)capacity * sizeof *more);
        if (!more) {
            return false;
        }
        pids->pid = more;
        pids->capacity = capacity;
    }
    pids->pid[pids->count++] = pid;
    return true;
}

bool be_pids_list(struct be_pids *pids, int max, const char *folder) {
    DIR *list = opendir(folder);
    if (!list) {
        return false;
    }
    pids->count = 0;
    pids->cut = false;
    bool sorted = true, whole = true;
    for (struct dirent *entry; whole && (entry = readdir(list)) != NULL;) {
        if (entry->d_name[0] < '1' || entry->d_name[0] > '9') {
            continue;
        }
        if (pids->count == max) {
            pids->cut = true;
            break;
        }
        whole = add(pids, atoi(entry->d_name));
        sorted &= pids->count < 2 || pids->pid[pids->count - 2] < pids->pid[pids->count - 1];
    }
    closedir(list);
    if (!sorted) { /* the kernel's own list is */
        qsort(pids->pid, (size_t)pids->count, sizeof *pids->pid, ascending);
    }
    return whole;
}

void be_pids_free(struct be_pids *pids) {
    free(pids->pid);
    *pids = (struct be_pids){0};
}

int be_pids_place(const void *first, int count, unsigned stride, int pid, bool *there) {
    int low = 0, high = count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        int at;
        memcpy(&at, (const char *)first + (size_t)middle * stride, sizeof at);
        if (at < pid) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    int found = 0;
    if (low < count) {
        memcpy(&found, (const char *)first + (size_t)low * stride, sizeof found);
    }
    *there = low < count && found == pid;
    return low;
}
