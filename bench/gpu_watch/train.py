"""Training as on MNIST at batch 64 (thousands of short kernels a second): prints its seconds.

    train.py [STEPS]
    train.py turns BLOCK

The second is for bench/trace_cost.py: it says `ready`, and for each number read from its input does so many blocks of
BLOCK steps, and prints the seconds of each on a line. A block ends when the GPU has done it.
"""
import sys
import time

import torch
from torch import nn

torch.manual_seed(1)
images = torch.rand(60000, 1, 28, 28)
labels = torch.randint(0, 10, (60000,))
net = nn.Sequential(
    nn.Conv2d(1, 32, 3), nn.ReLU(), nn.Conv2d(32, 64, 3), nn.ReLU(), nn.MaxPool2d(2),
    nn.Dropout(0.25), nn.Flatten(), nn.Linear(9216, 128), nn.ReLU(), nn.Dropout(0.5),
    nn.Linear(128, 10),
).cuda()
optimizer = torch.optim.Adadelta(net.parameters(), lr=1.0)
loss_of = nn.CrossEntropyLoss()


def step(i):
    at = i * 64 % 59904
    x, y = images[at:at + 64].cuda(), labels[at:at + 64].cuda()
    optimizer.zero_grad()
    loss = loss_of(net(x), y)
    loss.backward()
    optimizer.step()
    return loss.item() if i % 10 == 0 else 0.0


def timed(first, count):
    """Seconds of `count` steps from the `first` on."""
    begin = time.perf_counter()
    for i in range(first, first + count):
        step(i)
    torch.cuda.synchronize()
    return time.perf_counter() - begin


timed(0, 100)
if sys.argv[1:2] == ["turns"]:
    block, first = int(sys.argv[2]), 0
    print("ready", flush=True)
    for line in sys.stdin:
        count = int(line)
        print(*(f"{timed(first + i * block, block):.5f}" for i in range(count)), flush=True)
        first += count * block
else:
    print(f"train_s {timed(0, int(sys.argv[1]) if len(sys.argv) > 1 else 2000):.4f}")
