"""One element at a time: z = an expression of the inputs, which TABLE has for each workload.

power, multiply: z = x^y, z = x y. add: z = x + c. axpy: z = a x + y.
Tolerances, on |found - reference| / |reference|: 1e-5 in float32, 1e-14 in float64. Reference: NumPy,
float64, at up to a million places.
"""

import ast
import functools
from dataclasses import dataclass, field

import numpy as np

from measure import TooSlow
from problem import (
    Peer,
    Problem,
    Workload,
    blocks,
    in_threads,
    sampled,
    slices,
    stride,
    uniform,
)

PYTHON_MOST = 1_000_000  # elements of a loop in Python
BLOCK = 16384  # elements that stay in a core's cache from one NumPy call to the next
OPERATORS = {  # names of the functions that take `out`, of NumPy and CuPy, and of PyTorch
    ast.Add: ("add", "add"),
    ast.Sub: ("subtract", "sub"),
    ast.Mult: ("multiply", "mul"),
    ast.Div: ("divide", "div"),
    ast.Pow: ("power", "pow"),
}


# ---- one expression ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Elementwise:
    """z = the expression of inputs and constants. Every peer below is derived from it."""

    inputs: tuple  # as ours has them: what is updated in place stands first
    expression: str  # Python's
    constants: dict = field(default_factory=dict)
    dtypes: tuple = ("float32",)
    peers: tuple = ()


def build(parameters, dtype, room, workload):
    own, n = TABLE[workload], parameters["size"]
    inputs = uniform(room, (len(own.inputs), n), dtype)
    constants = {name: inputs.dtype.type(value) for name, value in own.constants.items()}
    exact = [v[:: stride(n)].astype(np.float64) for v in inputs]
    check = sampled(whole(workload)(*exact, *own.constants.values()), n)
    tolerance = 1e-14 if dtype == "float64" else 1e-5
    return Problem(
        workload, parameters, dtype, tuple(inputs), (room(n, dtype),), check, tolerance, 0, constants
    )


def constants_of(p):
    return [p[name] for name in TABLE[p.workload].constants]


@functools.cache
def whole(workload):
    """The expression as a function of arrays, or of numbers: of the inputs, then the constants."""
    own = TABLE[workload]
    function = eval(f"lambda {', '.join([*own.inputs, *own.constants])}: {own.expression}")
    function.__name__ = workload  # numba-cuda writes a function of that name; a lambda's is no name
    return function


class Elements(ast.NodeTransformer):
    """x becomes x[i], and y becomes z[i] where z is y."""

    def __init__(self, names, updated):
        self.names, self.updated = names, updated

    def visit_Name(self, node):
        if node.id not in self.names:
            return node
        return ast.parse(f"{'z' if node.id == self.updated else node.id}[i]", mode="eval").body


def loop(workload, here, head, body, more):
    """A function of the inputs, z and the constants: `head`, and then the statement of one element
    where `body` says so. Here: z is the first input, which is left out of the arguments."""
    own = TABLE[workload]
    tree = ast.parse(own.expression, mode="eval").body
    updated = own.inputs[0] if here else None
    element = ast.unparse(Elements(own.inputs, updated).visit(tree))
    names = [name for name in own.inputs if name != updated]
    lines = [f"def {workload}({', '.join([*names, 'z', *own.constants])}):", *head]
    lines += [line.format(f"z[i] = {element}") for line in body]
    made = dict(more)
    exec("\n".join(lines), made)
    return made[workload]


def steps(expression):
    """[(operator, left, right)] in order: names, and "z" for what was computed before."""
    found = []

    def walk(node):
        if isinstance(node, ast.Name):
            return node.id
        if isinstance(node.left, ast.BinOp) and isinstance(node.right, ast.BinOp):
            raise ValueError(f"{expression}: two parts at once need an array more: write its peers by hand")
        found.append((type(node.op), walk(node.left), walk(node.right)))
        return "z"

    walk(ast.parse(expression, mode="eval").body)
    return found


def planned(p, env, here):
    """[(function, left, right, out)], one after the other. Here: z is the first input, and an array
    more keeps what is computed before that is needed."""
    own, torch = TABLE[p.workload], env.module.__name__ == "torch"
    z, todo = env.outputs[0], steps(own.expression)
    needed = here and any(own.inputs[0] in step for step in todo[1:])
    between = env.module.empty_like(z) if needed else z
    values = dict(zip(own.inputs, env.inputs)) | {"z": between}
    values |= {name: float(p[name]) if torch else p[name] for name in own.constants}
    made = []
    for at, (operator, left, right) in enumerate(todo):
        if left in own.constants and operator in (ast.Add, ast.Mult):
            left, right = right, left  # PyTorch wants an array first
        out = z if at == len(todo) - 1 else between
        made.append((getattr(env.module, OPERATORS[operator][torch]), values[left], values[right], out))
    return made


def with_out(here=False):
    """The library's own functions, into a given array."""

    def make(p, env):
        plan = planned(p, env, here)

        def run():
            for call, left, right, out in plan:
                call(left, right, out=out)

        return run

    return make


def cut(value, part):
    return value[part] if isinstance(value, np.ndarray) else value


def numpy_threads(here=False):
    """A slice for each thread; of several steps in blocks that stay in the cache from one to the next."""

    def make(p, env):
        plan = planned(p, env, here)

        def work(part):
            pieces = slices(part.stop - part.start, max(1, (part.stop - part.start) // BLOCK))
            for piece in pieces if len(plan) > 1 else [slice(0, part.stop - part.start)]:
                at = slice(part.start + piece.start, part.start + piece.stop)
                for call, left, right, out in plan:
                    call(cut(left, at), cut(right, at), out=out[at])

        return in_threads(env, p["size"], work)

    return make


def numpy_new(p, env):
    call, constants = whole(p.workload), constants_of(p)
    return lambda: (call(*env.inputs, *constants),)


def python_loop(p, env):
    if p["size"] > PYTHON_MOST:
        raise TooSlow(f"a loop in Python: not run above {PYTHON_MOST} elements")
    body = ("    for i in range(z.size):", "        {}")
    call, constants = loop(p.workload, False, (), body, {}), constants_of(p)
    return lambda: call(*env.inputs, *env.outputs, *constants)


@functools.cache
def numba_loop(workload, parallel, here):
    from numba import njit, prange

    body = ("    for i in prange(z.size):", "        {}")
    made = loop(workload, here, (), body, {"prange": prange})
    return njit(parallel=parallel, fastmath=True)(made)


def numba_loops(here=False):
    def make(p, env):
        call, constants = numba_loop(p.workload, env.threads > 1, here), constants_of(p)
        arrays = (*env.inputs[1 if here else 0 :], *env.outputs)
        return lambda: call(*arrays, *constants)

    return make


@functools.cache
def numba_ufunc(workload, dtype, target):
    from numba import vectorize

    options = {"fastmath": True} if target == "parallel" else {}
    arguments = ", ".join([dtype] * len(TABLE[workload].inputs))
    return vectorize([f"{dtype}({arguments})"], target=target, **options)(whole(workload))


def numba_vectorize(p, env):
    (z,) = env.outputs
    call = numba_ufunc(p.workload, p.dtype, "parallel")
    return lambda: call(*env.inputs, z)


def numba_cuda_vectorize(p, env):
    (z,) = env.outputs
    call = numba_ufunc(p.workload, p.dtype, "cuda")
    return lambda: call(*env.inputs, out=z)


def numba_cuda_published(p, env):
    """NREL's page: the ufunc takes NumPy arrays, copies them each time, and the result back."""
    call = numba_ufunc(p.workload, p.dtype, "cuda")
    return lambda: (call(*env.inputs),)


@functools.cache
def cuda_kernel(workload):
    from numba import cuda

    head = ("    i = cuda.grid(1)",)
    return cuda.jit(loop(workload, False, head, ("    if i < z.size:", "        {}"), {"cuda": cuda}))


def numba_cuda_loop(p, env):
    constants = constants_of(p)
    kernel = cuda_kernel(p.workload)[blocks(p["size"])]
    return lambda: kernel(*env.inputs, *env.outputs, *constants)


def jax_expression(p, env):
    call, constants = whole(p.workload), constants_of(p)
    return lambda *inputs: (call(*inputs, *constants),)


# ---- axpy in one call of a library ------------------------------------------------------------


def scipy_axpy(p, env):
    from scipy.linalg import blas

    call = blas.daxpy if p.dtype == "float64" else blas.saxpy
    (y, x), a = env.inputs, p["a"]
    return lambda: call(x, y, a=a)


def torch_axpy(p, env):
    (y, x), (z,), a = env.inputs, env.outputs, float(p["a"])
    return lambda: env.module.add(y, x, alpha=a, out=z)


# ---- tables -----------------------------------------------------------------------------------

COMMON = (
    Peer("numpy", with_out(), threads="one"),
    Peer("numpy", numpy_threads(), "in threads", threads="all"),
    Peer("numba", numba_loops()),
    Peer("torch", with_out()),
    Peer("jax", jax_expression),
    Peer("cupy", with_out()),
)
PAIR = COMMON + (
    Peer("numpy", numpy_new, threads="one", as_written=True),
    Peer("numba", numba_vectorize, "vectorize", threads="all"),
    Peer("numba-cuda", numba_cuda_vectorize),
    Peer("numba-cuda", numba_cuda_published, takes_host=True, as_written=True),
    Peer("numba-cuda", numba_cuda_vectorize, placements=("unsynchronised",), as_written=True),
)
UPDATE = COMMON + (
    Peer("numpy", with_out(here=True), "in place", threads="one", in_place=1),
    Peer("numpy", numpy_threads(here=True), "in place in threads", threads="all", in_place=1),
    Peer("numba", numba_loops(here=True), "in place", in_place=1),
    Peer("torch", with_out(here=True), "in place", where="cpu", in_place=1),
    Peer("python", python_loop, threads="one", as_written=True),
    Peer("numba-cuda", numba_cuda_loop),
)
AXPY = UPDATE + (
    Peer("numpy", numpy_new, threads="one", as_written=True),
    Peer("scipy", scipy_axpy, "in place", in_place=1),
    Peer("torch", torch_axpy, "alpha"),
    Peer("torch", torch_axpy, "alpha in place", where="cpu", in_place=1),
)
SIZE = {"size": 10_000_000}
REALS = ("float32", "float64")
# A new elementwise workload is an entry here.
TABLE = {
    "power": Elementwise(("x", "y"), "x ** y", peers=PAIR),
    "multiply": Elementwise(("x", "y"), "x * y", peers=PAIR),
    "add": Elementwise(("x",), "x + c", {"c": 1.5}, REALS, UPDATE),
    "axpy": Elementwise(("y", "x"), "a * x + y", {"a": 2.5}, REALS, AXPY),
}


def elementwise(name):
    own = TABLE[name]
    return Workload(SIZE, own.dtypes, functools.partial(build, workload=name), own.peers)


WORKLOADS = {name: elementwise(name) for name in TABLE}
