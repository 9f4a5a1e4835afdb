"""Known numbers of kernels, copies and waits.

    known.py              runs them; prints what a trace has to count
    known.py --profile    the same under torch.profiler; prints what that counted
"""
import sys

import torch

KERNELS, PAGEABLE, PINNED, OUT, SYNCS = 5000, 100, 50, 25, 40


def work():
    x = torch.zeros(1 << 16, device="cuda")
    into = torch.empty(1 << 20, device="cuda")
    for i in range(KERNELS):
        x.add_(1.0)
    for i in range(PAGEABLE):
        into.copy_(pageable)
    for i in range(PINNED):
        into.copy_(pinned, non_blocking=True)
    for i in range(OUT):
        pinned.copy_(into, non_blocking=True)
    for i in range(SYNCS):
        torch.cuda.synchronize()


pageable = torch.ones(1 << 20)
pinned = torch.ones(1 << 20).pin_memory()
torch.zeros(1, device="cuda")
if len(sys.argv) > 1:
    from torch.profiler import ProfilerActivity, profile

    with profile(activities=[ProfilerActivity.CUDA]) as seen:
        work()
        torch.cuda.synchronize()
    for event in seen.key_averages():
        if event.device_time_total > 0:
            print(f"profiler\t{event.key[:60]}\t{event.count}\t{event.device_time_total:.1f} us")
else:
    work()
    torch.cuda.synchronize()
    size = 4 << 20
    print(f"known\tadd_ kernels\t{KERNELS}")
    print(f"known\tto-device pageable\t{PAGEABLE}\t{PAGEABLE * size} bytes")
    print(f"known\tto-device pinned\t{PINNED}\t{PINNED * size} bytes")
    print(f"known\tto-host pinned\t{OUT}\t{OUT * size} bytes")
    print(f"known\twaits for the whole device\tat least {SYNCS + 1}")
