"""JAX: a function that is compiled anew for each new length. padded: all of one length."""
import itertools

import jax
import jax.numpy as jnp
import numpy as np
from rate import ADVISED, repeat

LONGEST = 4096
lengths = itertools.cycle(range(1, LONGEST))


@jax.jit
def step(values):
    for _ in range(20):
        values = jnp.tanh(values) * jnp.cumsum(values)
    return values.sum()


def fit():
    length = next(lengths)
    values = np.ones(LONGEST if ADVISED else length, np.float32)
    values[length:] = 0
    step(values).block_until_ready()


repeat(fit)
