"""Batches from ordinary memory, copied in each step."""
import torch

from share import repeat

host = torch.randn(64, 1024, 1024)
a = torch.randn(1024, 1024, device="cuda")


def step():
    x = host.cuda()
    torch.matmul(x, a)
    torch.cuda.synchronize()


repeat(step)
