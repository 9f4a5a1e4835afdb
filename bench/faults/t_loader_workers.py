"""Two loader processes that take longer for a batch than the GPU does."""
import torch

from share import SECONDS, burn


class Slow(torch.utils.data.Dataset):
    def __len__(self):
        return 100000

    def __getitem__(self, index):
        burn(0.002)
        return torch.full((4096,), float(index))


if __name__ == "__main__":
    import time
    net = torch.nn.Linear(4096, 4096).cuda()
    loader = torch.utils.data.DataLoader(Slow(), batch_size=16, num_workers=2)
    end = time.monotonic() + 1.5 * SECONDS
    for batch in loader:
        x = batch.cuda()
        for _ in range(6):
            y = net(x.repeat(64, 1))
        torch.cuda.synchronize()
        if time.monotonic() > end:
            break
