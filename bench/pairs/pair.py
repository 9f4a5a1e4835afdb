"""One program in two versions: as users write it for CPUs, and for a GPU."""
import dataclasses
import typing


@dataclasses.dataclass(frozen=True)
class Pair:
    """A body is a generator: it takes the module of its library and a size, and gives its result after each step."""
    name: str
    cpu: str  # packages; the first names the module that the body is given
    on_cpu: typing.Callable
    gpu: str
    on_gpu: typing.Callable
    size: int
    small: int  # a size that takes a moment, for tests
    close: float = 1e-6  # as far apart, of the largest number, may both versions' results be
