#!/usr/bin/env python3
"""Accountings of a made-up machine whose queue shifts, to put forecasts to the test.

What is written is as `sacct -P` writes it. KIND:
      steady  nothing shifts
      flood   one user submits six times as much for six hours of the last part, then as before
      arrays  arrays of 600 tasks come in the last part, where they had 20
      half    half of the machine is away for two days of the last part
      slower  every program takes three times as long in the last part, and half as many come
      drain   what waits is let in at once, by twice the machine, a day after a flood began

First come, first served, with a share of the machine that no user exceeds; a job that does not
fit now holds up those behind it. Twenty days, some 10000 jobs, by day more than by night.
"""
import argparse
import heapq
import math
import random

DAY_S, DAYS, CPUS, BEGIN_S = 86400, 20, 112, 1700000000
USERS = [  # name, jobs a day, CPUs, median run time in s, most CPUs at once
    ("ant", 160, 4, 900, 64),
    ("bee", 200, 1, 300, 112),
    ("cat", 24, 16, 7200, 64),
    ("dog", 110, 8, 2400, 48),
    ("elk", 40, 2, 14400, 60),
]
KINDS = ("steady", "flood", "arrays", "half", "slower", "drain")
SHIFT_S = int(0.75 * DAYS * DAY_S)


def submissions(kind, draw):
    """(moment, user's number, run time in s, limit in s), by moment."""
    jobs = []
    for number, (_, a_day, _, median_s, _) in enumerate(USERS):
        at_s = 0.0
        while True:
            by_day = 1 + 0.6 * math.sin(2 * math.pi * at_s / DAY_S)
            rate = a_day * by_day / DAY_S
            late = at_s >= SHIFT_S
            if kind in ("flood", "drain") and number == 3 and 0 <= at_s - SHIFT_S < DAY_S / 4:
                rate *= 6
            if kind == "slower" and late:
                rate *= 0.5
            tasks = 20 if number == 0 else 1
            if kind == "arrays" and late and number == 0:
                tasks = 600
            at_s += draw.expovariate(rate / tasks)
            if at_s >= DAYS * DAY_S:
                break
            for _ in range(tasks):
                took_s = median_s * math.exp(draw.gauss(0, 0.6))
                took_s *= 3 if kind == "slower" and late else 1
                jobs.append((int(at_s), number, min(int(took_s) + 1, 12 * median_s), 12 * median_s))
    return sorted(jobs, key=lambda job: job[0])


def capacity(kind, now_s):
    since_s = now_s - SHIFT_S
    if kind == "half" and 0 <= since_s < 2 * DAY_S:
        return CPUS // 2
    if kind == "drain" and since_s >= DAY_S:
        return CPUS * 2
    return CPUS


def starts(kind, jobs):
    """When each starts."""
    line, running, used, begun = [], [], [0] * len(USERS), [0] * len(jobs)
    turns = [SHIFT_S, SHIFT_S + DAY_S, SHIFT_S + 2 * DAY_S]
    at = 0
    while at < len(jobs) or line:
        moments = turns[:1] + [job[0] for job in jobs[at:at + 1]] + [run[0] for run in running[:1]]
        now_s = min(moments)
        turns = [turn for turn in turns if turn > now_s]
        while running and running[0][0] <= now_s:
            number = heapq.heappop(running)[1]
            used[number] -= USERS[number][2]
        while at < len(jobs) and jobs[at][0] <= now_s:
            line.append(at)
            at += 1
        left = []
        full = False
        room = capacity(kind, now_s) - sum(used)
        for job in line:
            number = jobs[job][1]
            _, _, cpus, _, most = USERS[number]
            if full or used[number] + cpus > most * (capacity(kind, now_s) // CPUS or 1):
                left.append(job)
            elif cpus > room:
                full = True
                left.append(job)
            else:
                begun[job] = now_s
                used[number] += cpus
                room -= cpus
                heapq.heappush(running, (now_s + jobs[job][2], number))
        line = left
    return begun


def span(seconds):
    return "%d:%02d:%02d" % (seconds // 3600, seconds // 60 % 60, seconds % 60)


def main():
    parser = argparse.ArgumentParser(usage="bench/shifts.py KIND SEED >FILE", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=KINDS, metavar="KIND")
    parser.add_argument("seed", type=int, metavar="SEED")
    asked = parser.parse_args()
    kind, seed = asked.kind, asked.seed
    jobs = submissions(kind, random.Random(seed))
    print("JobID|Partition|User|Account|Submit|Start|End|State|NCPUS|Timelimit")
    for job, (begun_s, (at_s, number, took_s, limit_s)) in enumerate(zip(starts(kind, jobs), jobs)):
        name, _, cpus, _, _ = USERS[number]
        print("%d|main|%s|all|%d|%d|%d|COMPLETED|%d|%s" % (
            job + 1, name, BEGIN_S + at_s, BEGIN_S + begun_s, BEGIN_S + begun_s + took_s, cpus,
            span(limit_s)))


if __name__ == "__main__":
    main()
