"""%be and %%be of IPython and notebooks. They know the shell, and nothing of how time is measured."""

import time as clock

from . import _libraries, _timing, _watch

now = clock.perf_counter


def register(shell):
    """%load_ext breakeven"""
    shell.register_magic_function(lambda line, cell=None: be(shell, line, cell), "line_cell", "be")


def be(shell, line, cell=None):
    """%be f(x): times the expression, each call waited for on the device it used.

    %%be: runs the cell once, waits for devices, and says what the process did meanwhile.
    """
    if cell is not None:
        return watched(shell, cell)
    if not line.strip():
        print("%be f(x) times a call; %%be on a line of its own times and watches the cell below it")
        return None
    try:
        code = compile(line, "<%be>", "eval")
    except SyntaxError:
        code = compile(line, "<%be>", "exec")  # a statement
    names = shell.user_ns
    return _timing.time(lambda: eval(code, names))


def watched(shell, cell):
    """The cell as it is, its time with devices waited for, and the report of the watch."""
    with _watch.watch(show=False) as watch:
        start = now()
        done = shell.run_cell(cell)
        returned_s = now() - start
        names, wait, _ = _libraries.waiter_for([done.result])
        if wait:
            wait(done.result)
        all_s = now() - start
    if done.error_before_exec or done.error_in_exec:
        return
    print(f"{_timing.seconds(all_s)}, once" + (f"; waited for {', '.join(names)}: {_timing.seconds(all_s - returned_s)} "
                                               "of it after the cell had returned" if names else ""))
    print(watch)
