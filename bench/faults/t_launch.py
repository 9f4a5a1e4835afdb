"""Thousands of kernels a second, each shorter than its launch."""
import torch

from share import repeat_waiting

x = torch.randn(1024, device="cuda")


def step():
    global x
    for _ in range(50):
        x = x * 1.0001 + 0.0001


repeat_waiting(torch, step)
