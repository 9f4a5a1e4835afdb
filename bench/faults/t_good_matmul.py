"""Large products in bfloat16, which fill the tensor units."""
import torch

from share import repeat_waiting

a = torch.randn(8192, 8192, device="cuda", dtype=torch.bfloat16)
b = torch.randn(8192, 8192, device="cuda", dtype=torch.bfloat16)
c = torch.empty_like(a)
repeat_waiting(torch, lambda: torch.matmul(a, b, out=c))
