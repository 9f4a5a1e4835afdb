"""Takes more and more memory, until 94 % of it."""
import time

import torch

from share import SECONDS

PIECES = 20
free, whole = torch.cuda.mem_get_info()
piece = int(whole * 0.047)
kept = []
a = torch.randn(8192, 8192, device="cuda", dtype=torch.bfloat16)
begin = time.monotonic()
while time.monotonic() < begin + SECONDS:
    used = whole - torch.cuda.mem_get_info()[0]
    # All of them in the first two thirds, however long a product takes.
    due = PIECES * (time.monotonic() - begin) / (0.65 * SECONDS)
    if len(kept) < min(due, PIECES) and used + piece < 0.95 * whole:
        kept.append(torch.empty(piece, dtype=torch.uint8, device="cuda"))
    for _ in range(30):
        a @ a
    torch.cuda.synchronize()
