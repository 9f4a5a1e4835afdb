"""What the small Python programs share: how long they run, and work that takes CPU time."""
import os
import time

SECONDS = float(os.environ.get("FAULT_SECONDS", "4"))


def burn(seconds):
    """Keeps one core busy for so long."""
    end = time.monotonic() + seconds
    x = 0
    while time.monotonic() < end:
        for i in range(2000):
            x += i * i
    return x


def repeat(step, seconds=SECONDS, warm=2):
    """Calls step() again and again for so long; the first calls do not count."""
    for _ in range(warm):
        step()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        step()


def repeat_waiting(torch, step, seconds=SECONDS, ahead=20):
    """The same for steps that only launch: waits now and then, so that few are under way."""
    step()
    torch.cuda.synchronize()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for _ in range(ahead):
            step()
        torch.cuda.synchronize()
