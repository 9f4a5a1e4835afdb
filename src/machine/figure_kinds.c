/* Every kind of figure there is: its name, its unit, what people call it, and how it is measured. */
#include "machine/figure_kinds.h"

#include <string.h>

const struct be_figure_kind be_figure_kinds[] = {
    /* the CPU */
    {"fma", BE_UNIT_FLOP_S, "multiply-add",
     "independent chains of fused multiply-adds in registers, widest vectors"},
    {"clock", BE_UNIT_HZ, "clock under load",
     "a chain of dependent additions, one a cycle, right after a burst of multiply-adds"},
    {"matmul", BE_UNIT_FLOP_S, "matrix product",
     "C = A B of square matrices of random numbers through the vendor's or system's library"},
    {"triad", BE_UNIT_BYTES_S, "memory triad",
     "z = x + 3 y of arrays beyond all caches, 3 arrays counted"},
    {"copy", BE_UNIT_BYTES_S, "memory copy", "z = x of arrays beyond all caches, 2 arrays counted"},
    {"working_set", BE_UNIT_BYTES_S, "bandwidth of a working set",
     "the fastest of the triad, storing in three ways, a scale and a sum, over arrays of these "
     "bytes in all; noted: the triad's fastest stores (a device's caches: reads only)"},
    {"update_set", BE_UNIT_BYTES_S, "bandwidth of a working set, in place",
     "a number added to arrays of these bytes in all where they are, each byte read and "
     "written; noted: the faster stores"},
    {"latency", BE_UNIT_SECONDS, "load latency",
     "a chain of dependent loads in random order through these bytes, huge pages"},
    {"fork_join", BE_UNIT_SECONDS, "fork and join of threads",
     "an empty piece of work given to a team of pinned threads, and its end awaited"},
    {"page_fault", BE_UNIT_SECONDS, "first touch of a page",
     "fresh memory written once a page of these bytes, for each page"},
    {"numa_triad", BE_UNIT_BYTES_S, "triad on a node's memory",
     "the triad by all cores of one NUMA node on the memory of another"},
    {"numa_latency", BE_UNIT_SECONDS, "latency of a node's memory",
     "dependent loads by one core of one NUMA node from the memory of another"},
    {"disk_read_cold", BE_UNIT_BYTES_S, "disk read, cold",
     "a file of these bytes read in order by one thread after the page cache let go of it"},
    {"disk_read_warm", BE_UNIT_BYTES_S, "disk read, warm",
     "a file of these bytes read in order by one thread; the page cache did not let go of it"},
    /* devices */
    {"read", BE_UNIT_BYTES_S, "device memory read",
     "a kernel that reads and sums arrays beyond the cache"},
    {"write", BE_UNIT_BYTES_S, "device memory write",
     "a kernel that writes an array beyond the cache"},
    {"cache_read", BE_UNIT_BYTES_S, "last-level cache read",
     "a kernel whose groups read these bytes over and over, each time those of another group"},
    {"launch", BE_UNIT_SECONDS, "launch, host side",
     "what one asynchronous launch of an empty kernel keeps the host"},
    {"launch_wait", BE_UNIT_SECONDS, "launch and wait", "an empty kernel launched and waited for"},
    {"launch_rate", BE_UNIT_PER_S, "launches a second",
     "empty kernels launched one behind the other, then waited for"},
    {"graph_node", BE_UNIT_SECONDS, "graph launch, a node",
     "a graph of empty kernels launched and waited for, for each node"},
    {"alloc", BE_UNIT_SECONDS, "allocation", "device memory of these bytes allocated"},
    {"release", BE_UNIT_SECONDS, "release", "device memory of these bytes released"},
    {"first_context", BE_UNIT_SECONDS, "first call: driver and context",
     "once: starting the driver and a context"},
    {"first_module", BE_UNIT_SECONDS, "first call: compile and load",
     "once: a program compiled and loaded"},
    {"first_library", BE_UNIT_SECONDS, "first call: matrix library",
     "once: the vendor's matrix library opened"},
    {"bus_in_pinned", BE_UNIT_BYTES_S, "host to device, pinned",
     "a copy from page-locked memory, waited for"},
    {"bus_out_pinned", BE_UNIT_BYTES_S, "device to host, pinned",
     "a copy to page-locked memory, waited for"},
    {"bus_both_pinned", BE_UNIT_BYTES_S, "both at once, pinned",
     "a copy each way at once, page-locked, waited for; bytes of both directions"},
    {"bus_in_pageable", BE_UNIT_BYTES_S, "host to device, pageable",
     "the driver's own copy from malloc memory, waited for"},
    {"bus_out_pageable", BE_UNIT_BYTES_S, "device to host, pageable",
     "the driver's own copy to malloc memory, waited for"},
    {"bus_both_pageable", BE_UNIT_BYTES_S, "both at once, pageable",
     "the driver's own copy each way from and to malloc memory; bytes of both directions"},
    {"bus_in_staged", BE_UNIT_BYTES_S, "host to device, staged",
     "malloc memory through page-locked buffers by several threads, as breakeven copies"},
    {"bus_out_staged", BE_UNIT_BYTES_S, "device to host, staged",
     "malloc memory through page-locked buffers by several threads, as breakeven copies"},
    {"bus_in_node", BE_UNIT_BYTES_S, "host to device, from a NUMA node",
     "a copy from page-locked memory of one NUMA node, waited for; noted: the device's own node"},
    {"bus_out_node", BE_UNIT_BYTES_S, "device to host, to a NUMA node",
     "a copy to page-locked memory of one NUMA node, waited for; noted: the device's own node"},
    {"unified_fault", BE_UNIT_BYTES_S, "unified memory, moved on touch",
     "a kernel reads memory that the host wrote last; pages move as they are touched"},
    {"peer_copy", BE_UNIT_BYTES_S, "copy from another device",
     "a copy from the other device's memory, waited for"},
    {NULL, BE_UNITS, NULL, NULL},
};

int be_figure_place(const char *what) {
    int place = 0;
    while (be_figure_kinds[place].what && strcmp(be_figure_kinds[place].what, what) != 0) {
        place++;
    }
    return place;
}

const struct be_figure_kind *be_figure_kind(const char *what) {
    const struct be_figure_kind *kind = &be_figure_kinds[be_figure_place(what)];
    return kind->what ? kind : NULL;
}

bool be_unit_is_rate(enum be_unit unit) {
    return unit != BE_UNIT_SECONDS;
}
