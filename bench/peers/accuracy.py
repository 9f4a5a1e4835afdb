#!/usr/bin/env python3
"""The nets of `breakeven train` beside PyTorch on real images: the same initial weights, images and order; test accuracy
after each epoch.
usage: bench/peers/accuracy.py BUILD/breakeven DIR [--nets NAME,...] [--epochs N] [--images N] [--seed N] [--threads N]
                               [--control]

DIR is as `breakeven train --data` takes it; the CIFAR-10 folder may be incomplete. PyTorch makes the weights, which
training here begins with. Both see the images in the order that follows from the seed (src/data/order.c), in batches
of 32. Rounding drives two trainings apart, in time: --control trains PyTorch once more from weights that are some
roundings away, and the last column has how far that one gets from PyTorch. Dropout differs, so a net that has it is
none of these. Needs NumPy and PyTorch."""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import nets

BATCH = 32
MASK = (1 << 64) - 1
SCALED = {"lenet": (0.5, 0.5), "tfcnn": (0.0, 1.0)}  # mean, deviation


def random_bits(seed, index):
    """src/base/random.h"""
    z = (seed * 0xD1342543DE82EF95 + (index + 1) * 0x9E3779B97F4A7C15) & MASK
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
    return z ^ (z >> 31)


def order(seed, epoch, count):
    """src/data/order.c"""
    stream = random_bits(seed, epoch)
    places = list(range(count))
    for i in range(count, 1, -1):
        k = random_bits(stream, i) % i
        places[k], places[i - 1] = places[i - 1], places[k]
    return places


def part(folder, pattern, numpy, torch, mean, deviation):
    """Images and labels of CIFAR-10's files of such names."""
    files = sorted(folder.glob(pattern))
    records = numpy.concatenate([numpy.fromfile(file, dtype=numpy.uint8).reshape(-1, 3073) for file in files])
    images = torch.from_numpy(records[:, 1:].copy()).reshape(-1, 3, 32, 32).float().div(255).sub(mean).div(deviation)
    return images, torch.from_numpy(records[:, 0].astype(numpy.int64))


def theirs(net, optimiser, train, test, asked, torch):
    """[(loss, test accuracy)] an epoch."""
    functional, epochs = torch.nn.functional, []
    for epoch in range(1, asked.epochs + 1):
        net.train()
        places = torch.tensor(order(asked.seed, epoch, len(train[0])))
        total = 0.0
        for first in range(0, len(places), BATCH):
            chosen = places[first:first + BATCH]
            loss = functional.cross_entropy(net(train[0][chosen]), train[1][chosen])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            total += loss.item() * len(chosen)
        net.eval()
        with torch.no_grad():
            right = sum((net(test[0][i:i + 1000]).argmax(1) == test[1][i:i + 1000]).sum().item()
                        for i in range(0, len(test[0]), 1000))
        epochs.append((total / len(places), right / len(test[0])))
    return epochs


def ours(name, weights, asked):
    words = [asked.program, "train", name, f"--data={asked.folder}", "--incomplete", f"--epochs={asked.epochs}",
             f"--batch={BATCH}", f"--seed={asked.seed}", f"--threads={asked.threads}", f"--resume={weights}", "--quiet", "--json"]
    if asked.images:
        words.append(f"--images={asked.images}")
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    return [(epoch["loss"], epoch["test_accuracy"]) for epoch in json.loads(done.stdout)["epochs"]]


def one_net(name, asked, numpy, torch):
    inside = asked.folder / "cifar-10-batches-bin"
    folder = inside if inside.is_dir() else asked.folder
    train = part(folder, "data_batch_*.bin", numpy, torch, *SCALED[name])
    test = part(folder, "test_batch.bin", numpy, torch, *SCALED[name])
    if asked.images:
        train = tuple(side[:asked.images] for side in train)
    torch.manual_seed(asked.seed)
    make, optimise = nets.nets(torch)[name]
    net = make()
    with tempfile.TemporaryDirectory() as scratch:
        weights = pathlib.Path(scratch) / "weights.safetensors"
        nets.write_weights(weights, net.state_dict().items())
        here = ours(name, weights, asked)
    again = make()  # each weight by some roundings larger or smaller
    again.load_state_dict({key: value * (1 + 2.0**-22 * torch.randn_like(value)) for key, value in net.state_dict().items()})
    there = theirs(net, optimise(net.parameters()), train, test, asked, torch)
    control = theirs(again, optimise(again.parameters()), train, test, asked, torch) if asked.control else []
    for epoch, ((loss, accuracy), (other_loss, other)) in enumerate(zip(here, there), 1):
        apart = f"{100 * (control[epoch - 1][1] - other):+.2f}" if control else "-"
        print(f"| {name} | {epoch} | {len(train[0])} | {loss:.5f} | {other_loss:.5f} | {100 * accuracy:.2f} % | {100 * other:.2f} % | "
              f"{100 * (accuracy - other):+.2f} | {apart} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--nets", default="lenet,tfcnn")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--images", type=int, default=0, help="train on the first N only")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--control", action="store_true", help="PyTorch once more, from weights some roundings away")
    asked = parser.parse_args()
    if not set(asked.nets.split(",")) <= set(SCALED):
        parser.error(f"--nets: of {', '.join(SCALED)}")
    import numpy
    import torch
    torch.set_num_threads(asked.threads)
    print("| net | epoch | images | loss | PyTorch's | test accuracy | PyTorch's | points | control |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for name in asked.nets.split(","):
        one_net(name, asked, numpy, torch)


if __name__ == "__main__":
    main()
