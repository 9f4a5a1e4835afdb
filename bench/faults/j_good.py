"""JAX: one compiled function of large products."""
import jax
import jax.numpy as jnp

from share import repeat

a = jnp.ones((8192, 8192), jnp.bfloat16)
many = jax.jit(lambda a: jax.lax.fori_loop(0, 20, lambda i, x: (x @ a) * 1e-4, a))
repeat(lambda: many(a).block_until_ready())
