"""The program itself prepares each batch, while the GPU stands still."""
import torch

from share import burn, repeat

a = torch.randn(4096, 4096, device="cuda")


def step():
    burn(0.6)
    for _ in range(20):
        a @ a
    torch.cuda.synchronize()


repeat(step, warm=1)
