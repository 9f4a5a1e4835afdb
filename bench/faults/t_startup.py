"""Most of the run goes before the first kernel."""
import torch

from share import burn, repeat_waiting

burn(16)  # more than the rule asks for by itself, however fast the start
a = torch.randn(8192, 8192, device="cuda", dtype=torch.bfloat16)
repeat_waiting(torch, lambda: a @ a, seconds=2)
