"""Sums of long arrays: bound by the GPU's memory, as they must be."""
import torch

from share import repeat_waiting

a = torch.randn(1 << 29, device="cuda", dtype=torch.float32)
b = torch.randn(1 << 29, device="cuda", dtype=torch.float32)
c = torch.empty_like(a)
repeat_waiting(torch, lambda: torch.add(a, b, out=c))
