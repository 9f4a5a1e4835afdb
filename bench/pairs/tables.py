"""Text, files, tables and graphs. Bodies are as grids.py has them."""
from grids import random_numbers
from pair import Pair


def lines_of(n):
    words = "the quick brown fox jumps over a lazy dog while nobody looks at it again".split()
    return [" ".join(words[(i * k) % 15] for k in range(3, 15)) + f" {i % 97}" for i in range(n)]


def words_numpy(np, n):
    """How often words are in lines, and how alike the lines of two halves are."""
    lines = lines_of(n)
    while True:
        place = {}
        counts = np.zeros((n, 128))
        for i, line in enumerate(lines):
            for word in line.lower().split():
                counts[i, place.setdefault(word, len(place))] += 1
        weight = np.log(n / np.maximum((counts > 0).sum(0), 1))
        yield ((counts * weight) @ (counts * weight).mean(0)).mean()


def words_torch(torch, n):
    lines = lines_of(n)
    while True:
        place = {}
        found = []
        for i, line in enumerate(lines):
            for word in line.lower().split():
                found.append(i * 128 + place.setdefault(word, len(place)))
        counts = torch.bincount(torch.tensor(found), minlength=n * 128).reshape(n, 128).to(torch.float64)
        weight = torch.log(n / (counts > 0).sum(0).clamp(min=1))
        yield ((counts * weight) @ (counts * weight).mean(0)).mean()


def file_of(n):
    """A file of measurements, as it would be there; the user reads it."""
    import os
    import tempfile
    import numpy
    place, value = (random_numbers(n, "float64") * 50).astype(int), random_numbers(n, "float64")[::-1]
    file = tempfile.NamedTemporaryFile("w", suffix=".csv", delete=False, encoding="ascii")
    with file:
        file.write("place,value\n")
        numpy.savetxt(file, numpy.column_stack([place, value]), fmt=("%d", "%.6f"), delimiter=",")
    return file.name, os.remove


def csv_pandas(_, n):
    """A mean for each place, from a file of text."""
    import pandas
    path, remove = file_of(n)
    try:
        while True:
            yield pandas.read_csv(path).groupby("place").value.mean().to_numpy()
    finally:
        remove(path)


def csv_torch(torch, n):
    import pandas
    path, remove = file_of(n)
    device = torch.get_default_device()
    try:
        while True:
            table = pandas.read_csv(path)
            place, value = (torch.as_tensor(table[one].to_numpy().copy(), device=device) for one in ("place", "value"))
            sums = torch.bincount(place, weights=value)
            yield sums / torch.bincount(place)
    finally:
        remove(path)


def logs_python(np, n):
    """Answers of a server, as JSON in lines that are compressed: mean and spread by page."""
    import gzip
    import json
    text = "\n".join(json.dumps({"page": i % 20, "seconds": (i * 7919 % 1000) / 1000, "from": "10.0.0.%d" % (i % 250)})
                     for i in range(n))
    packed = gzip.compress(text.encode())
    while True:
        rows = [json.loads(line) for line in gzip.decompress(packed).decode().split("\n")]
        page, seconds = np.array([one["page"] for one in rows]), np.array([one["seconds"] for one in rows])
        yield np.array([[seconds[page == k].mean(), seconds[page == k].std()] for k in range(20)])


def logs_torch(torch, n):
    import gzip
    import json
    text = "\n".join(json.dumps({"page": i % 20, "seconds": (i * 7919 % 1000) / 1000, "from": "10.0.0.%d" % (i % 250)})
                     for i in range(n))
    packed = gzip.compress(text.encode())
    while True:
        rows = [json.loads(line) for line in gzip.decompress(packed).decode().split("\n")]
        page = torch.tensor([one["page"] for one in rows])
        seconds = torch.tensor([one["seconds"] for one in rows], dtype=torch.float64)
        yield torch.stack([torch.stack([seconds[page == k].mean(), seconds[page == k].std(correction=0)])
                           for k in range(20)])


def groups_pandas(_, n):
    """Sums and means by two keys."""
    import pandas
    key = random_numbers(n, "float64")
    table = pandas.DataFrame({"a": (key * 100).astype("int64"), "b": (key * 1000 % 10).astype("int64"), "value": key})
    while True:
        table["value"] = (table.value * 1.7) % 1
        yield table.groupby(["a", "b"]).value.mean().to_numpy()


def groups_torch(torch, n):
    key = random_numbers(n, "float64")
    a, b, value = (torch.as_tensor(one, device=torch.get_default_device()) for one in (
        (key * 100).astype("int64"), (key * 1000 % 10).astype("int64"), key))
    while True:
        value = (value * 1.7) % 1
        both = a * 10 + b
        count = torch.bincount(both, minlength=1000)
        sums = torch.bincount(both, weights=value, minlength=1000)
        yield (sums / count)[count > 0]


def joins_pandas(_, n):
    """Orders and their customers, joined, and the largest ones."""
    import pandas
    key = random_numbers(n, "float64")
    orders = pandas.DataFrame({"who": (key * n / 10).astype("int64"), "amount": key[::-1]})
    people = pandas.DataFrame({"who": range(n // 10), "rebate": random_numbers(n // 10, "float64")})
    while True:
        both = orders.merge(people, on="who")
        both["paid"] = both.amount * (1 - both.rebate)
        yield both.sort_values("paid").paid.to_numpy()[-100:]
        orders["amount"] = orders.amount * 1.01


def joins_cupy(cp, n):
    key = random_numbers(n, "float64")
    who, amount = cp.asarray((key * n / 10).astype("int64")), cp.asarray(key[::-1].copy())
    rebate = cp.asarray(random_numbers(n // 10, "float64"))
    while True:
        yield cp.sort(amount * (1 - rebate[who]))[-100:]
        amount = amount * 1.01


def quantiles(xp, n):
    """Order, different values and quantiles of measurements."""
    x = xp.asarray(random_numbers(n, "float64"))
    while True:
        ordered = xp.sort(x)
        different = xp.unique(xp.floor(x * 1000))
        yield xp.concatenate([ordered[::n // 10], xp.asarray(different[:5])])
        x = (x * 3.3) % 1


def levels(xp, n):
    """Measurements read off a curve, and counted."""
    curve = xp.sin(xp.linspace(0, 3, 1000))
    x = xp.asarray(random_numbers(n, "float64"))
    while True:
        y = xp.interp(x, xp.linspace(0, 1, 1000), curve)
        yield xp.histogram(y, bins=50, range=(0, 1))[0] / n
        x = (x * 3.3) % 1


def friends(n):
    return (random_numbers((n, 6), "float64") ** 1.5 * n).astype("int64")


def reach_python(_, n):
    """How many are how far from one person, in a graph of lists."""
    graph = friends(n).tolist()
    start = 0
    while True:
        seen, now, count = {start}, [start], []
        while now:
            count.append(len(now))
            after = []
            for one in now:
                for other in graph[one]:
                    if other not in seen:
                        seen.add(other)
                        after.append(other)
            now = after
        yield float(sum(i * many for i, many in enumerate(count)))
        start += 1


def reach_cupy(cp, n):
    graph = cp.asarray(friends(n))
    start = 0
    while True:
        seen = cp.zeros(n, bool)
        now, count = cp.array([start]), []
        seen[start] = True
        while now.size:
            count.append(now.size)
            after = cp.unique(graph[now].ravel())
            now = after[~seen[after]]
            seen[now] = True
        yield float(sum(i * many for i, many in enumerate(count)))
        start += 1


PAIRS = [
    Pair("words", "numpy", words_numpy, "torch", words_torch, 20_000, 200),
    Pair("csv", "pandas", csv_pandas, "torch pandas", csv_torch, 500_000, 500),
    Pair("logs", "numpy", logs_python, "torch", logs_torch, 50_000, 200),
    Pair("groups", "pandas", groups_pandas, "torch", groups_torch, 3_000_000, 5000),
    Pair("joins", "pandas", joins_pandas, "cupy", joins_cupy, 1_000_000, 1000),
    Pair("quantiles", "numpy", quantiles, "cupy", quantiles, 3_000_000, 1000),
    Pair("levels", "numpy", levels, "cupy", levels, 3_000_000, 1000),
    Pair("reach", "numpy", reach_python, "cupy", reach_cupy, 200_000, 200),
]
