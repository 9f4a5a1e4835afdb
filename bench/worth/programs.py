"""Programs on a GPU, ten that are not worth one and ten that are, written as users write them; and the same on a CPU.

    programs.py NAME gpu|cpu SECONDS

works for so long and prints a line of JSON: seconds of preparation, seconds of the loop, steps. Each function takes the
place and returns a step, which does its work to the end.
"""
import json
import sys
import time

POINTS = 50


# ---- not worth a GPU --------------------------------------------------------------------------------


def torch_regression(place):
    """A line through 50 points, by gradient descent."""
    torch, device = open_torch(place)
    x = torch.linspace(0, 1, POINTS, device=device)
    y = 3 * x + 1
    a = torch.zeros(2, device=device, requires_grad=True)

    def step():
        loss = ((a[0] * x + a[1] - y) ** 2).mean()
        loss.backward()
        with torch.no_grad():
            a.sub_(0.1 * a.grad)
            a.grad.zero_()
        return loss.item()

    return step


def jax_regression(place):
    """The same in JAX: a jitted update in a loop of Python."""
    jax, jnp = open_jax(place)
    x = jnp.linspace(0, 1, POINTS)
    y = 3 * x + 1
    update = jax.jit(lambda a: a - 0.1 * jax.grad(lambda a: jnp.mean((a[0] * x + a[1] - y) ** 2))(a))
    state = [jnp.zeros(2)]

    def step():
        for _ in range(100):
            state[0] = update(state[0])
        state[0].block_until_ready()

    return step


def cupy_fetch(place):
    """A sum of 1000 numbers, fetched each time to look at it."""
    xp, _ = open_arrays(place)
    x = xp.linspace(0, 1, 1000)

    def step():
        for _ in range(100):
            if float((x * 1.5 + 0.5).sum()) < 0:
                raise SystemExit("below zero")

    return step


def torch_small_net(place):
    """A net of two layers of 32 units, on batches of 32 rows of a table."""
    torch, device = open_torch(place)
    net = torch.nn.Sequential(torch.nn.Linear(10, 32), torch.nn.ReLU(), torch.nn.Linear(32, 1)).to(device)
    optimizer = torch.optim.Adam(net.parameters())
    x, y = torch.randn(32, 10, device=device), torch.randn(32, 1, device=device)

    def step():
        for _ in range(20):
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()
        wait(torch, device)

    return step


def cupy_small_solves(place):
    """Systems of 10 equations, one after the other."""
    xp, finish = open_arrays(place)
    a = xp.random.rand(100, 10, 10) + 10 * xp.eye(10)
    b = xp.random.rand(100, 10)

    def step():
        for i in range(100):
            xp.linalg.solve(a[i], b[i])
        finish()

    return step


def jax_one_orbit(place):
    """One orbit of the Lorenz system, a jitted Runge-Kutta step in a loop of Python."""
    jax, jnp = open_jax(place)

    def slope(p):
        return jnp.stack([10 * (p[1] - p[0]), p[0] * (28 - p[2]) - p[1], p[0] * p[1] - 8 / 3 * p[2]])

    @jax.jit
    def advance(p):
        h = 0.001
        k1 = slope(p)
        k2 = slope(p + h / 2 * k1)
        k3 = slope(p + h / 2 * k2)
        return p + h / 6 * (k1 + 2 * k2 + 2 * k3 + slope(p + h * k3))

    state = [jnp.ones(3)]

    def step():
        for _ in range(100):
            state[0] = advance(state[0])
        state[0].block_until_ready()

    return step


def torch_one_sequence(place):
    """A recurrent cell over one sequence, letter by letter."""
    torch, device = open_torch(place)
    cell = torch.nn.GRUCell(32, 64).to(device)
    letters = torch.randn(200, 1, 32, device=device)

    def step():
        hidden = torch.zeros(1, 64, device=device)
        with torch.no_grad():
            for letter in letters:
                hidden = cell(letter, hidden)
        wait(torch, device)

    return step


def cupy_there_and_back(place):
    """An array goes to the GPU, is scaled, and comes back."""
    import numpy
    host = numpy.random.rand(1 << 24).astype(numpy.float32)
    if place == "cpu":
        return lambda: host * 2 + 1
    import cupy
    return lambda: cupy.asnumpy(cupy.asarray(host) * 2 + 1)


def torch_words(place):
    """Text is counted in Python; a small model sees the counts."""
    torch, device = open_torch(place)
    net = torch.nn.Linear(1000, 2).to(device)
    text = ["the quick brown fox jumps over the lazy dog number " + str(i) for i in range(2000)]

    def step():
        rows = torch.zeros(len(text), 1000)
        for i, line in enumerate(text):
            for word in line.split():
                rows[i, hash(word) % 1000] += 1
        with torch.no_grad():
            return net(rows.to(device)).argmax(1).cpu()

    return step


def cupy_small_heat(place):
    """Heat on a plate of 64 x 64 points."""
    xp, finish = open_arrays(place)
    u = xp.zeros((64, 64))
    u[0] = 1

    def step():
        for _ in range(100):
            u[1:-1, 1:-1] += 0.2 * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1])
        finish()

    return step


# ---- worth a GPU ------------------------------------------------------------------------------------


def torch_wide_net(place):
    """Training of layers of 4096 units, 4096 rows a batch."""
    torch, device = open_torch(place)
    net = torch.nn.Sequential(*[one for _ in range(4) for one in
                                (torch.nn.Linear(4096, 4096), torch.nn.ReLU())]).to(device)
    optimizer = torch.optim.SGD(net.parameters(), lr=1e-4)
    x = torch.randn(4096, 4096, device=device)

    def step():
        optimizer.zero_grad()
        net(x).square().mean().backward()
        optimizer.step()
        wait(torch, device)

    return step


def torch_images(place):
    """A convolutional net on 128 images of 64 x 64 points."""
    torch, device = open_torch(place)
    layers = [torch.nn.Conv2d(3, 64, 3, padding=1), torch.nn.ReLU()]
    for _ in range(4):
        layers += [torch.nn.Conv2d(64, 64, 3, padding=1), torch.nn.BatchNorm2d(64), torch.nn.ReLU()]
    net = torch.nn.Sequential(*layers, torch.nn.AdaptiveAvgPool2d(1), torch.nn.Flatten(),
                              torch.nn.Linear(64, 10)).to(device)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    x = torch.randn(128, 3, 64, 64, device=device)
    y = torch.randint(0, 10, (128,), device=device)

    def step():
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()
        wait(torch, device)

    return step


def torch_attention(place):
    """A layer of a transformer on 32 texts of 512 words; bfloat16 on the GPU."""
    torch, device = open_torch(place)
    layer = torch.nn.TransformerEncoderLayer(1024, 16, 4096, batch_first=True).to(device).eval()
    x = torch.randn(32, 512, 1024, device=device)
    if place == "gpu":
        layer, x = layer.to(torch.bfloat16), x.to(torch.bfloat16)

    def step():
        with torch.no_grad():
            layer(x)
        wait(torch, device)

    return step


def torch_neighbours(place):
    """The ten nearest of 60,000 images for each of 4000."""
    torch, device = open_torch(place)
    known, asked = torch.rand(60000, 784, device=device), torch.rand(4000, 784, device=device)

    def step():
        torch.cdist(asked, known).topk(10, largest=False)
        wait(torch, device)

    return step


def cupy_bodies(place):
    """Forces of 6000 bodies on each other."""
    xp, finish = open_arrays(place)
    p = xp.random.rand(6000, 3).astype(xp.float32)

    def step():
        d = p[None] - p[:, None]
        r = (d ** 2).sum(-1) + 0.01
        (d / (r ** 1.5)[..., None]).sum(1)
        finish()

    return step


def cupy_large_heat(place):
    """Heat on a plate of 6000 x 6000 points."""
    xp, finish = open_arrays(place)
    u = xp.zeros((6000, 6000))
    u[0] = 1

    def step():
        u[1:-1, 1:-1] += 0.2 * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1])
        finish()

    return step


def cupy_filter(place):
    """A filter of an image of 4096 x 4096 points, by its transform."""
    xp, finish = open_arrays(place)
    image = xp.random.rand(4096, 4096).astype(xp.float32)
    mask = xp.fft.fft2(image) * 0.5

    def step():
        xp.fft.ifft2(xp.fft.fft2(image) * mask).real.sum()
        finish()

    return step


def cupy_sort(place):
    """A sort of 20 million numbers."""
    xp, finish = open_arrays(place)
    x = xp.random.rand(20_000_000)

    def step():
        xp.sort(x)
        finish()

    return step


def jax_products(place):
    """A chain of products of 4096 x 4096 matrices."""
    jax, jnp = open_jax(place)
    a = jnp.ones((4096, 4096)) / 4096
    chain = jax.jit(lambda a: a @ a @ a @ a)
    return lambda: chain(a).block_until_ready()


def jax_options(place):
    """The price of an option, by a million paths of 50 days."""
    jax, jnp = open_jax(place)

    @jax.jit
    def price(key):
        moves = jax.random.normal(key, (1_000_000, 50))
        paths = 100 * jnp.exp(jnp.cumsum(0.01 * moves, axis=1))
        return jnp.maximum(paths.mean(axis=1) - 100, 0).mean()

    keys = [jax.random.PRNGKey(0)]

    def step():
        keys[0], key = jax.random.split(keys[0])
        price(key).block_until_ready()

    return step


# ---- what they share --------------------------------------------------------------------------------


def open_torch(place):
    import torch
    return torch, "cuda" if place == "gpu" else "cpu"


def wait(torch, device):
    if device == "cuda":
        torch.cuda.synchronize()


def open_arrays(place):
    """CuPy, or NumPy; and how one waits for it."""
    if place == "cpu":
        import numpy
        return numpy, lambda: None
    import cupy
    return cupy, lambda: cupy.cuda.Device().synchronize()


def open_jax(_):
    import jax
    return jax, jax.numpy


NO = [torch_regression, jax_regression, cupy_fetch, torch_small_net, cupy_small_solves, jax_one_orbit,
      torch_one_sequence, cupy_there_and_back, torch_words, cupy_small_heat]
YES = [torch_wide_net, torch_images, torch_attention, torch_neighbours, cupy_bodies, cupy_large_heat,
       cupy_filter, cupy_sort, jax_products, jax_options]
PROGRAMS = {one.__name__.replace("_", "-"): one for one in NO + YES}
ANSWERS = {one.__name__.replace("_", "-"): "no" if one in NO else "yes" for one in NO + YES}


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in PROGRAMS or sys.argv[2] not in ("gpu", "cpu"):
        print("usage:", __doc__, "\nNAME:", " ".join(PROGRAMS))
        sys.exit(0 if "-h" in sys.argv or "--help" in sys.argv else 2)
    name, place, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
    begin = time.monotonic()
    step = PROGRAMS[name](place)
    step()
    ready = time.monotonic()
    steps = 0
    while steps == 0 or time.monotonic() < ready + seconds:
        step()
        steps += 1
    end = time.monotonic()
    print(json.dumps({"ready_s": ready - begin, "loop_s": end - ready, "steps": steps}), flush=True)


if __name__ == "__main__":
    main()
