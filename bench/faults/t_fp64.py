"""Arithmetic in double precision, because the data came so."""
import torch

from share import repeat_waiting

x = torch.rand(1 << 24, device="cuda", dtype=torch.float64)
repeat_waiting(torch, lambda: torch.pow(x, 1.7))
