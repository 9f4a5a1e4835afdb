#!/usr/bin/env python3
"""A person at the keyboard: Ctrl-C, and what stands on the terminal meanwhile.

usage: interrupt.py once|early|hung-up|twice|at-once|together|self-test|progress|probe|probe-ended|quiet PROGRAM PROFILE
Nothing here waits for a fixed time: a signal is sent when the program has said, in /proc or on its
terminal, that it is where the signal is wanted.
"""
import glob
import json
import os
import pty
import signal
import subprocess
import sys
import time

LIMIT_S = 240
program, profile = sys.argv[2:]
# A command that would go on for minutes, and one that is done at once; limits are from a profile, since measuring them
# takes long.
LONG = ["compare", "power", "--device=cpu", "--threads=1", f"--machine={profile}", "--size=1000..1e8", "--budget=30"]
SHORT = ["compare", "power", "--device=cpu", "--threads=1", f"--machine={profile}", "--size=1000", "--cache=hot",
         "--budget=0.5", "--no-refine"]


def need(true, text):
    if not true:
        sys.exit(text)


def until(true, what):
    begin = time.monotonic()
    while not true():
        need(time.monotonic() - begin < LIMIT_S, f"{LIMIT_S} s and not yet: {what}")
        time.sleep(0.005)


def signals(process, kind, which=signal.SIGINT):
    """Is SIGINT, or another, among the process's signals of that kind: SigCgt (it has a handler), ShdPnd (one is
    on its way)?"""
    try:
        with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
            for line in status:
                if line.startswith(kind + ":"):
                    return int(line.split()[1], 16) >> (which - 1) & 1
    except ProcessLookupError:  # it ended meanwhile
        pass
    return 0


def start(words, terminal=False):
    """The program, with stdout in a pipe; with stderr on a terminal of its own if asked for."""
    master, slave = pty.openpty() if terminal else (None, subprocess.PIPE)
    process = subprocess.Popen([program, *words], stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=slave, encoding="utf-8")
    if terminal:
        os.close(slave)
    return process, master


def read_terminal(master, enough=lambda text: False):
    text = ""
    begin = time.monotonic()
    while not enough(text):
        need(time.monotonic() - begin < LIMIT_S, f"{LIMIT_S} s, and the terminal says: {text!r}")
        try:
            got = os.read(master, 4096)
        except OSError:  # the other end is closed
            break
        if not got:
            break
        text += got.decode()
    return text


def whole_json(file):
    with open(file, encoding="utf-8") as text:
        return json.load(text)


def interrupted(words, terminal, which=signal.SIGINT):
    with open("interrupted.json", "w", encoding="ascii") as old:
        old.write("precious\n")
    process, master = start([*words, "--json=interrupted.json"], terminal)
    if terminal:  # something is being sampled
        read_terminal(master, lambda text: " done" in text and text.count("\r") >= 3)
    until(lambda: signals(process, "SigCgt", which), f"{which.name} is caught")
    with open("interrupted.json", encoding="ascii") as old:
        need(old.read() == "precious\n", "the old results were touched before the new are whole")
    process.send_signal(which)
    out, err = process.communicate(timeout=LIMIT_S)
    if terminal:
        said = read_terminal(master)
        need("ending with what there is; Ctrl-C again: at once" in said, f"not answered: {said!r}")
    need(process.returncode == 130, f"exit {process.returncode}: {err}")
    need("partial" in out, f"the table does not say partial: {out}")
    results = whole_json("interrupted.json")
    need(results["partial"] is True, "the JSON does not say partial")
    need(not glob.glob("interrupted.json.part*"), "a part is left behind")
    return results


def once():
    results = interrupted(LONG, True)["results"]
    need(len(results) >= 1, "what was measured until then is not there")


def early():
    """Says once which sizes do not fit, for a range that ends beyond every memory."""
    words = [word for word in LONG if not word.startswith("--size")]
    remarks = interrupted([*words, "--size=1000..1e14"], False)["remarks"]
    need(sum("do not fit" in remark for remark in remarks) == 1, f"remarks: {remarks}")


def hung_up():
    """The terminal is gone, as when a connection ends."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # under nohup it is ignored, and stays so
    interrupted(LONG, False, signal.SIGHUP)


def ended_by_second():
    """Whether the second Ctrl-C came before the first had ended the run, which may be sooner."""
    with open("twice.json", "w", encoding="ascii") as old:
        old.write("precious\n")
    parts = ["twice.json.part*", "twice.csv.part*"]
    process, _ = start([*LONG, "--json=twice.json", "--csv=twice.csv"])
    until(lambda: signals(process, "SigCgt"), "Ctrl-C is caught")
    until(lambda: all(map(glob.glob, parts)), "the results have files")
    process.send_signal(signal.SIGINT)
    until(lambda: process.poll() is not None or not signals(process, "ShdPnd"), "the first arrived")
    process.send_signal(signal.SIGSTOP)
    time.sleep(0.2)  # sooner, it would be the same Ctrl-C; stopped, it cannot end meanwhile
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGCONT)
    out, err = process.communicate(timeout=LIMIT_S)
    need(process.returncode == 130, f"exit {process.returncode}: {err}")
    need(not any(map(glob.glob, parts)), f"a part is left behind: {err}")
    if "interrupted twice" not in err:
        need("partial" in out and whole_json("twice.json")["partial"], f"no line, no results: {err}")
        return False
    need(out == "", f"a table nevertheless: {out}")
    with open("twice.json", encoding="ascii") as old:
        need(old.read() == "precious\n", "the old results are gone")
    return True


def twice():
    need(any(ended_by_second() for _ in range(20)), "the second was never in time")


def ended_by_one():
    """Two signals that come at the same moment, as timeout(1) sends them, ask once. A busy machine may
    hold the program up between the two."""
    process, _ = start([*LONG, "--json=at-once.json"])
    until(lambda: signals(process, "SigCgt"), "Ctrl-C is caught")
    process.send_signal(signal.SIGSTOP)
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGTERM)
    process.send_signal(signal.SIGCONT)
    out, err = process.communicate(timeout=LIMIT_S)
    need(process.returncode == 130, f"exit {process.returncode}: {err}")
    return "partial" in out and whole_json("at-once.json")["partial"] and not err


def at_once():
    need(any(ended_by_one() for _ in range(20)), "two signals at once were taken for two")


def together():
    """Two runs with one name for their results: each writes them whole, the last to end is there."""
    process, _ = start([*LONG, "--json=together.json"])
    until(lambda: glob.glob("together.json.part*"), "the results have a file")
    until(lambda: signals(process, "SigCgt"), "Ctrl-C is caught")
    other, _ = start([*SHORT, "--json=together.json"])
    _, err = other.communicate(timeout=LIMIT_S)
    need(other.returncode == 0, f"the second: exit {other.returncode}: {err}")
    need(not whole_json("together.json")["partial"], "the second's results")
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=LIMIT_S)
    need(process.returncode == 130, f"the first: exit {process.returncode}: {err}")
    need(whole_json("together.json")["partial"], "the first's results")
    need(not glob.glob("together.json.part*"), "a part is left behind")


def self_test():
    process, _ = start(["compare", "--device=cpu", "--threads=1", "--self-test=10000"])
    until(lambda: signals(process, "SigCgt"), "Ctrl-C is caught")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=LIMIT_S)
    need(process.returncode == 130, f"exit {process.returncode}: {err}")
    need("partial: ended" in out, f"not said to be partial: {out!r}")


def shown(text):
    """The text of the terminal's last line after `text`."""
    line = [" "] * 200
    at = 0
    for c in text:
        if c == "\r":
            at = 0
        elif c == "\n":
            line, at = [" "] * 200, 0
        else:
            line[at] = c
            at += 1
    return "".join(line).rstrip()


def progress():
    process, master = start(SHORT, True)
    text = read_terminal(master)
    process.communicate(timeout=LIMIT_S)
    need(process.returncode == 0, f"exit {process.returncode}")
    need("power 1e3 on cpu" in text and " to go" in text, f"no progress: {text!r}")
    need("\n" not in text, "progress is more than a line")
    need(shown(text) == "", f"left on the terminal: {shown(text)!r}")
    need(max(map(len, text.split("\r"))) < 80, "progress is wider than a terminal")


def probe():
    """The progress line: what it does now, how many figures there are, and how long it takes on. It counts no steps
    to go. The profile is kept, as PROFILE and as own.csv, and the summary on stdout is passed on."""
    process, master = start(["probe", "--quick", "--device=cpu", "--name=here", f"--output={profile}", "--csv=own.csv"],
                            True)
    text = read_terminal(master)
    out, _ = process.communicate(timeout=LIMIT_S)
    print(out, end="")
    need(process.returncode == 0, f"exit {process.returncode}")
    need("cpu: memory" in text and " done, " in text, f"no progress: {text!r}")
    need("to go" not in text and "latency, latency" not in text, f"says what it does not know: {text!r}")


def probe_ended():
    """A part of a profile takes no other's place, unless a file was named for it."""
    for words, kept in ((["--name=ended"], False), (["--output=ended.json"], True)):
        process, master = start(["probe", "--device=cpu", *words], True)
        read_terminal(master, lambda text: " done, " in text)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=LIMIT_S)
        said = read_terminal(master)
        need(process.returncode == 130, f"exit {process.returncode}: {said!r}")
        need("partial" in out, f"the summary does not say partial: {out}")
        need(("not saved" in said) != kept and ("saved as ended.json" in said) == kept, f"says {said!r}")
    found = glob.glob(os.environ["XDG_DATA_HOME"] + "/breakeven/profiles/*")
    need(not found, f"there is {found}")
    need(whole_json("ended.json")["partial"], "the JSON does not say partial")


def quiet():
    process, master = start([*SHORT, "--quiet"], True)
    text = read_terminal(master)
    process.communicate(timeout=LIMIT_S)
    need(process.returncode == 0 and text == "", f"exit {process.returncode}: {text!r}")


if __name__ == "__main__":
    {"once": once, "early": early, "hung-up": hung_up, "twice": twice, "at-once": at_once,
     "together": together, "self-test": self_test, "progress": progress, "probe": probe,
     "probe-ended": probe_ended, "quiet": quiet}[sys.argv[1]]()
