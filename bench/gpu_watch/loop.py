"""What train.py does, on a CPU alone and without PyTorch: for trying out what measures with it.

    loop.py [STEPS]
    loop.py turns BLOCK
"""
import sys
import time


def timed(count):
    begin = time.perf_counter()
    for _ in range(count):
        sum(range(20000))
    return time.perf_counter() - begin


timed(100)
if sys.argv[1:2] == ["turns"]:
    print("ready", flush=True)
    for line in sys.stdin:
        print(*(f"{timed(int(sys.argv[2])):.5f}" for _ in range(int(line))), flush=True)
else:
    print(f"train_s {timed(int(sys.argv[1]) if len(sys.argv) > 1 else 2000):.4f}")
