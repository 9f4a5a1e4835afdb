#include "base/name_order.h"

#include <stdlib.h>
#include <string.h>

static const char digits[] = "0123456789";

/* Compares the numbers at *a and *b; both pointers then are behind them. The numbers may have any length: no name is
 * too long. */
static int number_order(const char **a, const char **b) {
    *a += strspn(*a, "0");
    *b += strspn(*b, "0");
    const size_t left = strspn(*a, digits), right = strspn(*b, digits);
    const int order = left != right ? (left < right ? -1 : 1) : strncmp(*a, *b, left);
    *a += left;
    *b += right;
    return order;
}

int be_name_order(const char *a, const char *b) {
    const char *left = a, *right = b;
    while (*left && *right) {
        if (strspn(left, digits) && strspn(right, digits)) {
            const int order = number_order(&left, &right);
            if (order) {
                return order;
            }
        } else if (*left++ != *right++) {
            return (unsigned char)left[-1] < (unsigned char)right[-1] ? -1 : 1;
        }
    }
    /* One goes on, or they differ in zeros before a number. */
    return *left || *right ? (*left ? 1 : -1) : strcmp(a, b);
}

static int by_name(const void *a, const void *b) {
    return be_name_order(*(char *const *)a, *(char *const *)b);
}

void be_names_sort(char **name, size_t count) {
    qsort(name, count, sizeof *name, by_name);
}
