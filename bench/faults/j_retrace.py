"""JAX: a function that is compiled anew in each step, since its shape changes."""
import jax
import jax.numpy as jnp

from share import SECONDS, repeat

size = 4096
step_of = jax.jit(lambda x: jnp.tanh(x @ x.T).sum() + jnp.exp(-x).mean())


def step():
    global size
    size += 1
    step_of(jnp.ones((size, 512), jnp.bfloat16)).block_until_ready()


repeat(step)
