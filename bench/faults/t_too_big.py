"""A little work twice a second: a tenth of the GPU would do."""
import time

import torch

from share import repeat

a = torch.randn(8192, 8192, device="cuda", dtype=torch.bfloat16)


def step():
    for _ in range(15):
        a @ a
    torch.cuda.synchronize()
    time.sleep(0.5)


repeat(step, warm=1)
