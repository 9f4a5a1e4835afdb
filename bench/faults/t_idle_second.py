"""Two GPUs, and all work on the first."""
import torch

from share import repeat_waiting

a = torch.randn(8192, 8192, device="cuda:0", dtype=torch.bfloat16)
repeat_waiting(torch, lambda: a @ a)
