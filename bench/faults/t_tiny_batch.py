"""Training with a batch of 4: every kernel is tiny."""
import torch

from share import repeat_waiting

net = torch.nn.Sequential(*[layer for _ in range(8) for layer in
                            (torch.nn.Linear(256, 256), torch.nn.ReLU())]).cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=1e-3)
x = torch.randn(4, 256, device="cuda")


def step():
    optimizer.zero_grad()
    net(x).square().mean().backward()
    optimizer.step()


repeat_waiting(torch, step)
