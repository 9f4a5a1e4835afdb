"""What the programs in Python share: how long they work, and how fast they say they were."""
import os
import sys
import time

SECONDS = float(os.environ.get("FAULT_SECONDS", "4"))
ADVISED = sys.argv[1:]  # which advice they follow


def repeat(step, pieces=1):
    """Calls step(), each of so many pieces of work, for so long; the first call does not count."""
    step()
    begin, calls = time.monotonic(), 0
    while time.monotonic() < begin + SECONDS:
        step()
        calls += 1
    print(f"{calls * pieces / (time.monotonic() - begin):.4g} pieces of work a second")
