/*
 * The figures of a /proc about the machine as a whole, and whether they can be believed: in a container a program
 * (lxcfs) may make up some of its files, as if the container were the machine.
 */
#ifndef BE_OBSERVE_PROCESS_PROC_OWN_H
#define BE_OBSERVE_PROCESS_PROC_OWN_H

#include <stdbool.h>

/* Seconds since what starts of processes count from; NAN: there is no such /proc. */
double be_proc_uptime_s(const char *files);
/* The number of a process given last; -1: it is not told. */
int be_proc_newest(const char *files);
/* It numbers processes as be_proc_newest does. */
bool be_proc_is_own(const char *files);

/* This process and its parent as the /proc that is mounted here counts; -1: it does not list them. It may be of
 * another name space than getpid()'s: in a container that has no /proc of its own. */
struct be_proc_numbers {
    int self, parent;
};
struct be_proc_numbers be_proc_numbers(void);
/* Likewise of a child of the parent, `pid` to the kernel; -1: it does not list it. */
int be_proc_number_of(int pid, const struct be_proc_numbers *numbers);

#endif
