"""Training of wide layers in bfloat16 with a large batch."""
import torch

from share import repeat_waiting

net = torch.nn.Sequential(*[layer for _ in range(6) for layer in
                            (torch.nn.Linear(8192, 8192), torch.nn.ReLU())])
net = net.to("cuda", torch.bfloat16)
optimizer = torch.optim.SGD(net.parameters(), lr=1e-4)
x = torch.randn(8192, 8192, device="cuda", dtype=torch.bfloat16)


def step():
    optimizer.zero_grad()
    net(x).square().mean().backward()
    optimizer.step()


repeat_waiting(torch, step, ahead=5)
