"""Large products in FP32 without TF32: the tensor units are idle."""
import torch

from share import repeat_waiting

torch.backends.cuda.matmul.allow_tf32 = False
a = torch.randn(8192, 8192, device="cuda")
repeat_waiting(torch, lambda: a @ a, ahead=5)
