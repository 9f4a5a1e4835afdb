"""asyncio: 50 questions at a time to a service that takes 0.2 s to answer each; its argument: so many at a time."""
import asyncio

from rate import ADVISED, repeat

EACH = int(ADVISED[0]) if ADVISED else 50


async def ask():
    await asyncio.gather(*(asyncio.sleep(0.2) for _ in range(EACH)))


repeat(lambda: asyncio.run(ask()), EACH)
