"""A model that was never moved to the GPU."""
import torch

from share import repeat

a = torch.randn(2048, 2048)
repeat(lambda: a @ a)
