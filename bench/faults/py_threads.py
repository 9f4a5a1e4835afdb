"""Four threads of Python, of which only one may run at a time."""
import threading

from share import SECONDS, burn

threads = [threading.Thread(target=burn, args=(SECONDS,)) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
