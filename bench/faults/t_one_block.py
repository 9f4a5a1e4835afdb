"""A kernel that runs all the time, on one multiprocessor of many."""
import torch

from share import repeat_waiting

repeat_waiting(torch, lambda: torch.cuda._sleep(20_000_000), ahead=5)
