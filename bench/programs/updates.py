"""JAX: many updates of 100 numbers. scan: all of them in one function."""
import jax
import jax.numpy as jnp
from rate import ADVISED, repeat

MANY = 2000
x = jnp.zeros(100)


def one(value):
    return value * 0.99 + 1


def loop():
    value = x
    for _ in range(MANY):
        value = one(value)
    value.block_until_ready()


if ADVISED:
    many = jax.jit(lambda value: jax.lax.scan(lambda v, _: (one(v), None), value, length=MANY)[0])
    repeat(lambda: many(x).block_until_ready(), MANY)
else:
    repeat(loop, MANY)
