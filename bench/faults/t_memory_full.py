"""Takes more and more memory, until 94 % of it."""
import time

import torch

from share import SECONDS

free, whole = torch.cuda.mem_get_info()
piece = int(whole * 0.047)
kept = []
a = torch.randn(8192, 8192, device="cuda", dtype=torch.bfloat16)
end = time.monotonic() + SECONDS
while time.monotonic() < end:
    used = whole - torch.cuda.mem_get_info()[0]
    if len(kept) < 20 and used + piece < 0.95 * whole:
        kept.append(torch.empty(piece, dtype=torch.uint8, device="cuda"))
    for _ in range(300):
        a @ a
    torch.cuda.synchronize()
