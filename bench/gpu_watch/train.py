"""Training as on MNIST at batch 64 (thousands of short kernels a second): prints its seconds.

    train.py [STEPS [BLOCK]]

With BLOCK also the seconds of each so many steps, on a line; a block ends when the GPU has done it.
"""
import sys
import time

import torch
from torch import nn

torch.manual_seed(1)
steps = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
block = int(sys.argv[2]) if len(sys.argv) > 2 else steps
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


for i in range(100):
    step(i)
torch.cuda.synchronize()
ends = [time.perf_counter()]
for i in range(steps):
    step(i)
    if (i + 1) % block == 0 or i + 1 == steps:
        torch.cuda.synchronize()
        ends.append(time.perf_counter())
print(f"train_s {ends[-1] - ends[0]:.4f}")
if block < steps:
    print("blocks_s", *(f"{end - begin:.5f}" for begin, end in zip(ends, ends[1:])))
