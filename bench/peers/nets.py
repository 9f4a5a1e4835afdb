#!/usr/bin/env python3
"""The nets of src/nn beside PyTorch: the same loss and gradients, the same learning, images a second.
usage: bench/peers/nets.py BUILD/bench_nets check|speed|learn [--nets NAME,...]
         [--threads N,...] [--batches N,...] [--rounds N] [--block-s SECONDS]
         [--device cuda:0] [--tf32] [--compile] [--data DIR] [--images N] [--epochs N]

`check` gives both the same weights, through safetensors files in both directions, and the same images and dropout;
then it holds the loss, the gradient of each tensor and its first step against each other, as the length of the
difference over the length of PyTorch's.

`speed` lets blocks of steps of both take turns, and prints the median of the pairs' ratios with the least and the most.
With --device both compute there, on images that are there, without TF32, or with --tf32 both with it; `check` on opencl:0
computes with PyTorch on the CPU. --compile adds rows beside PyTorch as torch.compile makes it.

`learn` trains both from the same weights on the same images in the same order: data_batch_1.bin of CIFAR-10's binary
version in DIR, and tests on data_batch_2.bin; it leaves mnist out. Roundings differ, and training amplifies them:
PyTorch from weights that are off by 3e-7 differs from itself as much.

The nets of residual blocks (resnet18, resnet50, resnet152) are checked and timed by their names. Batch norms amplify
roundings until ReLUs change sides, in float32 by PyTorch, too. So their gradients are held against PyTorch's in float64:
ours may be 1e-4 from them, or twice as far as PyTorch's in float32 are.

Needs NumPy and PyTorch."""
import argparse
import copy
import json
import os
import pathlib
import statistics
import struct
import subprocess
import sys
import tempfile
import time

SEED = 7  # bench/nets.c
LIMIT = 1e-4  # of a difference
BATCHES = {"lenet": (4096, 32), "mnist": (64,), "tfcnn": (32,), "resnet18": (128,), "resnet50": (64,),
           "resnet152": (32,)}
CHECKS = {"lenet": (1, 33), "mnist": (1, 19), "tfcnn": (1, 33), "resnet18": (2, 19), "resnet50": (19,),
          "resnet152": (33,)}
RESIDUAL = {"resnet18": ((2, 2, 2, 2), False), "resnet50": ((3, 4, 6, 3), True), "resnet152": ((3, 8, 36, 3), True)}


def philox(numpy, layer, images, elements, step=0):
    """The words of src/nn/dropout.h for elements of images."""
    quarter = numpy.arange((elements + 3) // 4, dtype=numpy.uint32)
    word = list(numpy.broadcast_arrays(quarter[None, :], numpy.arange(images, dtype=numpy.uint32)[:, None],
                                       numpy.uint32(step), numpy.uint32(layer)))
    keys = [SEED & 0xFFFFFFFF, SEED >> 32]
    low = numpy.uint64(0xFFFFFFFF)
    for _ in range(10):
        a = numpy.uint64(0xD2511F53) * word[0].astype(numpy.uint64)
        b = numpy.uint64(0xCD9E8D57) * word[2].astype(numpy.uint64)
        high = [(x >> numpy.uint64(32)).astype(numpy.uint32) for x in (b, a)]
        word = [high[0] ^ word[1] ^ numpy.uint32(keys[0]), (b & low).astype(numpy.uint32),
                high[1] ^ word[3] ^ numpy.uint32(keys[1]), (a & low).astype(numpy.uint32)]
        keys = [(keys[0] + 0x9E3779B9) & 0xFFFFFFFF, (keys[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return numpy.stack(word, axis=2).reshape(images, -1)[:, :elements]


def tensors_of(net):
    """Weights and running statistics, without the count of batches, which nothing depends on."""
    return [(name, tensor) for name, tensor in net.state_dict().items() if not name.endswith("num_batches_tracked")]


def write_weights(path, tensors):
    """A safetensors file, as the library of that name writes it."""
    header, parts, at = {}, [], 0
    for name, tensor in tensors:
        data = tensor.detach().numpy().astype("<f4").tobytes()
        header[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": [at, at + len(data)]}
        parts.append(data)
        at += len(data)
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(parts))


def read_weights(path, torch):
    data = path.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    tensors = {}
    for name, entry in json.loads(data[8:8 + length]).items():
        if name != "__metadata__":
            first, end = (8 + length + offset for offset in entry["data_offsets"])
            tensors[name] = torch.frombuffer(bytearray(data[first:end]), dtype=torch.float32).reshape(entry["shape"])
    return tensors


def nets(torch):
    """{name: (net, optimiser)} as PyTorch's users write them. A net has `kept`, a function that drops."""
    nn, functional = torch.nn, torch.nn.functional

    class Net(nn.Module):
        def __init__(self, convolutions, dense):
            super().__init__()
            for i, (inputs, outputs, size) in enumerate(convolutions, 1):
                setattr(self, f"conv{i}", nn.Conv2d(inputs, outputs, size))
            for i, (inputs, outputs) in enumerate(dense, 1):
                setattr(self, f"fc{i}", nn.Linear(inputs, outputs))
            self.kept = lambda x, drop, layer: functional.dropout(x, drop)

    def pooled(x):
        return functional.max_pool2d(functional.relu(x), 2)

    class Lenet(Net):
        def __init__(self):
            super().__init__([(3, 6, 5), (6, 16, 5)], [(400, 120), (120, 84), (84, 10)])

        def forward(self, x):
            x = pooled(self.conv2(pooled(self.conv1(x)))).flatten(1)
            return self.fc3(functional.relu(self.fc2(functional.relu(self.fc1(x)))))

    class Mnist(Net):
        def __init__(self):
            super().__init__([(1, 32, 3), (32, 64, 3)], [(9216, 128), (128, 10)])

        def forward(self, x):
            x = functional.relu(self.conv2(functional.relu(self.conv1(x))))
            x = self.kept(functional.max_pool2d(x, 2).flatten(1), 0.25, 3)
            return self.fc2(self.kept(functional.relu(self.fc1(x)), 0.5, 5))

    class Tfcnn(Net):
        def __init__(self):
            super().__init__([(3, 32, 3), (32, 64, 3), (64, 64, 3)], [(1024, 64), (64, 10)])

        def forward(self, x):
            x = functional.relu(self.conv3(pooled(self.conv2(pooled(self.conv1(x)))))).flatten(1)
            return self.fc2(functional.relu(self.fc1(x)))

    class Block(nn.Module):
        def __init__(self, inputs, width, stride, bottleneck):
            super().__init__()
            outputs = 4 * width if bottleneck else width
            sizes = ([(inputs, width, 1, 1), (width, width, 3, stride), (width, outputs, 1, 1)] if bottleneck
                     else [(inputs, width, 3, stride), (width, outputs, 3, 1)])
            for i, (ins, outs, size, step) in enumerate(sizes, 1):
                setattr(self, f"conv{i}", nn.Conv2d(ins, outs, size, step, size // 2, bias=False))
                setattr(self, f"bn{i}", nn.BatchNorm2d(outs))
            self.layers, self.downsample = len(sizes), None
            if stride > 1 or inputs != outputs:
                self.downsample = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False),
                                                nn.BatchNorm2d(outputs))

        def forward(self, x):
            y = x
            for i in range(1, self.layers + 1):
                y = getattr(self, f"bn{i}")(getattr(self, f"conv{i}")(y))
                y = functional.relu(y) if i < self.layers else y
            return functional.relu(y + (self.downsample(x) if self.downsample else x))

    class Residual(nn.Module):
        """torchvision's net of that name with ten outputs."""

        def __init__(self, counts, bottleneck):
            super().__init__()
            self.conv1, self.bn1 = nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64)
            channels = 64
            for stage, count in enumerate(counts):
                blocks = []
                for i in range(count):
                    blocks.append(Block(channels, 64 << stage, 2 if stage and not i else 1, bottleneck))
                    channels = (64 << stage) * (4 if bottleneck else 1)
                setattr(self, f"layer{stage + 1}", nn.Sequential(*blocks))
            self.fc = nn.Linear(channels, 10)

        def forward(self, x):
            x = functional.max_pool2d(functional.relu(self.bn1(self.conv1(x))), 3, 2, 1)
            x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
            return self.fc(x.mean((2, 3)))

    optim = torch.optim
    residual = {name: (lambda shape=shape: Residual(*shape),
                       lambda p: optim.SGD(p, lr=0.01, momentum=0.9, weight_decay=1e-4))
                for name, shape in RESIDUAL.items()}
    return residual | {"lenet": (Lenet, lambda p: optim.SGD(p, lr=0.001)), "mnist": (Mnist, lambda p: optim.Adadelta(p, lr=1.0)),
            "tfcnn": (Tfcnn, lambda p: optim.Adam(p, lr=0.001, eps=1e-7))}


def shape_of(name):
    return (1, 28, 28) if name == "mnist" else (3, 32, 32)


class Ours:
    """The program, asked line by line."""

    def __init__(self, asked, name, batch, threads):
        words = [asked.program, name, str(batch), str(threads)] + ([asked.device] if asked.device else [])
        words += ["tf32"] if asked.tf32 else []
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().split()
        if not answer:
            sys.exit(f"{self.process.args[0]} did not answer '{line}'")
        return answer

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def exact_gradients(net, images, labels, torch):
    """Gradients by name in float64, by PyTorch."""
    wide = copy.deepcopy(net).double()
    wide.zero_grad()
    torch.nn.functional.cross_entropy(wide(images.double()), labels).backward()
    return {tensor: value.grad.numpy().ravel() for tensor, value in wide.named_parameters()}


def check_one(asked, name, batch, torch, folder):
    """Whether loss and gradients agree; prints a line a tensor."""
    import numpy

    torch.manual_seed(batch)
    kind, rule = nets(torch)[name]
    net = kind()
    files = [folder / word for word in ("weights", "images", "gradients", "ours")]
    images = torch.rand(batch, *shape_of(name)) * 2 - 1
    labels = torch.randint(0, 10, (batch,))

    def kept(x, drop, layer):
        words = philox(numpy, layer, batch, x.shape[1])
        return x * torch.from_numpy((words >= numpy.uint32(drop * 2**32)).astype("f4")) / (1 - drop)

    net.kept = kept
    write_weights(files[0], tensors_of(net))
    files[1].write_bytes(images.numpy().tobytes() + labels.numpy().astype("u1").tobytes())
    ours = Ours(asked, name, batch, 2)
    ours.ask(f"save {files[3]}")
    loss = float(ours.ask(f"pass {files[0]} {files[1]} {files[2]}")[0])
    ours.ask(f"save {files[0]}")
    ours.close()
    kind().load_state_dict(read_weights(files[3], torch))  # strict: every name and shape
    theirs = torch.nn.functional.cross_entropy(net(images), labels)
    theirs.backward()
    exact = exact_gradients(net, images, labels, torch) if name in RESIDUAL else {}
    theirs_by_name = dict(net.named_parameters())
    before = {tensor: value.detach().clone() for tensor, value in theirs_by_name.items()}
    rule(net.parameters()).step()
    after = read_weights(files[0], torch)
    mine, at, most = numpy.frombuffer(files[2].read_bytes(), dtype="f4"), 0, abs(loss - theirs.item()) / theirs.item()
    print(f"{name} batch {batch}: loss {loss:.7f}, PyTorch {theirs.item():.7f}")
    shown = name not in RESIDUAL
    worst = {"gradient": (0, ""), "step": (0, ""), "statistic": (0, "")}
    exactly = {"ours": (0, ""), "PyTorch": (0, "")}
    for tensor in (tensor for tensor in after if tensor in theirs_by_name):  # in our order
        value = theirs_by_name[tensor]
        gradient = value.grad.numpy().ravel().astype("f8")
        off = numpy.linalg.norm(mine[at:at + gradient.size] - gradient) / numpy.linalg.norm(gradient)
        at, most = at + gradient.size, max(most, off)
        step = (value.detach() - before[tensor]).numpy().ravel()
        moved = numpy.linalg.norm((after[tensor] - before[tensor]).numpy().ravel() - step) / numpy.linalg.norm(step)
        worst["gradient"], worst["step"] = max(worst["gradient"], (off, tensor)), max(worst["step"], (moved, tensor))
        for side, numbers in (("ours", mine[at - gradient.size:at]), ("PyTorch", gradient)) if exact else ():
            away = numpy.linalg.norm(numbers - exact[tensor]) / numpy.linalg.norm(exact[tensor])
            exactly[side] = max(exactly[side], (away, tensor))
        if shown:
            print(f"  {tensor:14s} {off:.1e}  step {moved:.1e}")
    for tensor, value in tensors_of(net):
        if "running" in tensor:
            off = float((after[tensor] - value).norm() / value.norm())
            worst["statistic"], most = max(worst["statistic"], (off, tensor)), max(most, off)
    for what, (off, tensor) in worst.items() if not shown else ():
        print(f"  largest {what:9s} {off:.1e}  {tensor}")
    for side, (away, tensor) in exactly.items() if exact else ():
        print(f"  from float64: {side:8s} {away:.1e}  {tensor}")
    apart = exactly["ours"][0] <= max(LIMIT, 2 * exactly["PyTorch"][0]) if exact else most < LIMIT
    return apart and at == mine.size


def check(asked, torch):
    with tempfile.TemporaryDirectory() as folder:
        done = [check_one(asked, name, batch, torch, pathlib.Path(folder))
                for name in asked.nets for batch in asked.batches or CHECKS[name]]
    print("all as near as they must be" if all(done) else "NOT as near as they must be")
    return 0 if all(done) else 1


def speed_one(asked, name, batch, threads, torch, compiled):
    torch.set_num_threads(threads)
    make, optimiser = nets(torch)[name]
    there = "cuda" if (asked.device or "").startswith("cuda") else "cpu"
    torch.backends.cudnn.allow_tf32 = torch.backends.cuda.matmul.allow_tf32 = asked.tf32
    net = make().to(there)
    rule = optimiser(net.parameters())
    run = torch.compile(net) if compiled else net
    images = torch.rand(batch, *shape_of(name), device=there) * 2 - 1
    labels = torch.randint(0, 10, (batch,), device=there)

    def theirs(steps):
        before = time.perf_counter()
        for _ in range(steps):
            rule.zero_grad()
            torch.nn.functional.cross_entropy(run(images), labels).backward()
            rule.step()
        if there == "cuda":
            torch.cuda.synchronize()
        return time.perf_counter() - before

    ours = Ours(asked, name, batch, threads)
    theirs(2)
    counts = [max(1, round(asked.block_s / max(timed(2) / 2, 1e-6)))
              for timed in (theirs, lambda steps: float(ours.ask(f"steps {steps}")[0]))]
    pairs, parts = [], []
    for _ in range(asked.rounds):
        slow = theirs(counts[0]) / counts[0]
        answer = [float(word) / counts[1] for word in ours.ask(f"steps {counts[1]}")]
        pairs.append((batch / slow, batch / answer[0]))
        parts.append(answer[1:])
    ours.close()
    ratios = sorted(mine / other for other, mine in pairs)
    middle = [statistics.median(column) for column in zip(*pairs)]
    shares = " ".join(f"{1e6 * statistics.median(part) / batch:.1f}" for part in zip(*parts))
    math, peer = "tf32" if asked.tf32 else "float32", "compiled" if compiled else "eager"
    print(f"| {name} | {batch} | {threads} | {math} | {peer} | {middle[0]:,.0f} | {middle[1]:,.0f} | {statistics.median(ratios):.2f} "
          f"[{ratios[0]:.2f}, {ratios[-1]:.2f}] | {shares} |", flush=True)


def speed(asked, torch):
    print(f"PyTorch {torch.__version__}, load average {os.getloadavg()[0]:.1f}, {asked.rounds} pairs of blocks of "
          f"{asked.block_s:g} s\n")
    print("| net | batch | threads | products | PyTorch | PyTorch, images/s | ours, images/s | ratio | us an image: forward, loss, backward, "
          "update |\n| --- | ---: | ---: | --- | --- | ---: | ---: | --- | --- |")
    for name in asked.nets:
        for batch in asked.batches or BATCHES[name]:
            for threads in asked.threads if not asked.device else [1]:
                for compiled in (False, True) if asked.compile else (False,):
                    speed_one(asked, name, batch, threads, torch, compiled)
    return 0


def cifar(path, name, count, numpy):
    """Images as each net wants them, and labels."""
    records = numpy.fromfile(path, dtype="u1").reshape(-1, 3073)[:count]
    images = records[:, 1:].astype("f4") / numpy.float32(255)
    return (images if name == "tfcnn" else (images - numpy.float32(0.5)) / numpy.float32(0.5)), records[:, 0]


def learn_one(asked, name, torch, folder):
    import numpy

    torch.manual_seed(1)
    torch.set_num_threads(asked.threads[0])
    batch = (asked.batches or [32])[0]
    make, optimiser = nets(torch)[name]
    net = make()
    rule = optimiser(net.parameters())
    train, test = (cifar(pathlib.Path(asked.data) / f"data_batch_{i}.bin", name, asked.images, numpy) for i in (1, 2))
    ours = Ours(asked, name, batch, asked.threads[0])
    write_weights(folder / "weights", net.named_parameters())
    ours.ask(f"load {folder / 'weights'}")

    def given(images, labels):
        (folder / "images").write_bytes(images.tobytes() + labels.tobytes())
        return f"{folder / 'images'} {len(labels)}"

    def theirs(images, labels, learns):
        loss = correct = 0
        net.train(learns)
        for at in range(0, len(labels), batch):
            x = torch.from_numpy(images[at:at + batch]).reshape(-1, *shape_of(name))
            y = torch.from_numpy(labels[at:at + batch].astype("i8"))
            with torch.set_grad_enabled(learns):
                out = net(x)
                value = torch.nn.functional.cross_entropy(out, y)
            if learns:
                rule.zero_grad()
                value.backward()
                rule.step()
            loss += value.item() * len(y)
            correct += (out.argmax(1) == y).sum().item()
        return loss / len(labels), correct

    off = 0
    for epoch in range(1, asked.epochs + 1):
        order = numpy.random.default_rng(epoch).permutation(len(train[1]))
        images, labels = train[0][order], train[1][order]
        mine = [float(word) for word in ours.ask(f"learn {given(images, labels)}")]
        other = theirs(images, labels, True)
        mine_seen = [float(word) for word in ours.ask(f"see {given(*test)}")]
        other_seen = theirs(*test, False)
        off = 100 * (mine_seen[1] - other_seen[1]) / len(test[1])
        print(f"{name} epoch {epoch}: loss {mine[0]:.4f}, PyTorch {other[0]:.4f}; test loss {mine_seen[0]:.4f}, PyTorch "
              f"{other_seen[0]:.4f}; test accuracy {100 * mine_seen[1] / len(test[1]):.2f} %, PyTorch "
              f"{100 * other_seen[1] / len(test[1]):.2f} %", flush=True)
    ours.close()
    return abs(off) <= 1


def learn(asked, torch):
    with tempfile.TemporaryDirectory() as folder:
        done = [learn_one(asked, name, torch, pathlib.Path(folder)) for name in asked.nets if name != "mnist"]
    print("within a point" if all(done) else "NOT within a point")
    return 0 if all(done) else 1


def numbers(text):
    return [int(word) for word in text.split(",")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="bench_nets of a build: cmake --build BUILD --target bench_nets")
    parser.add_argument("what", choices=("check", "speed", "learn"))
    parser.add_argument("--nets", type=lambda text: text.split(","), default=[name for name in BATCHES if name not in RESIDUAL],
                        help="default: lenet,mnist,tfcnn; also: " + ", ".join(RESIDUAL))
    parser.add_argument("--threads", type=numbers, default=[1, 2])
    parser.add_argument("--batches", type=numbers, default=None)
    parser.add_argument("--tf32", action="store_true", help="speed: both multiply in tf32, on a GPU")
    parser.add_argument("--compile", action="store_true", help="speed: a row beside torch.compile, too")
    parser.add_argument("--device", help="a device of breakeven's: cuda:0, opencl:0")
    parser.add_argument("--data", help="learn: the folder with data_batch_1.bin and data_batch_2.bin")
    parser.add_argument("--images", type=int, default=10000, help="learn: of each file")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--block-s", type=float, default=0.5)
    asked = parser.parse_args()
    if not os.access(asked.program, os.X_OK) or any(name not in BATCHES for name in asked.nets):
        parser.error(f"{asked.program} cannot be run, or there is no such net: {', '.join(BATCHES)}")
    if asked.what != "speed" and (asked.tf32 or asked.compile):
        parser.error("--tf32, --compile: belong to speed")
    if asked.tf32 and not asked.device:
        parser.error("--tf32: needs a GPU: --device cuda:0")
    if asked.what == "learn" and not asked.data:
        parser.error("learn: --data=DIR")
    import torch

    return {"check": check, "speed": speed, "learn": learn}[asked.what](asked, torch)


if __name__ == "__main__":
    sys.exit(main())
