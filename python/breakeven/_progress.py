"""A line on what runs now, where somebody looks: in a terminal, or below a notebook's cell. It knows nothing of what runs."""

import sys
import time

EVERY_S = 0.2  # in a notebook, where each line is a message


def shown(progress=None):
    """Where progress goes: a function of a text, which may have clear(); None: nowhere. progress: True, False, a function
    of the user's, or None: where somebody looks."""
    notebook = _in_notebook()
    if progress is None:
        progress = notebook or (hasattr(sys.stderr, "isatty") and sys.stderr.isatty())
    if callable(progress) or not progress:
        return progress or None
    return Below() if notebook else Line()


def _in_notebook():
    """Jupyter replaces standard error by a stream of its own, which is no terminal."""
    return type(sys.stderr).__module__.startswith("ipykernel.")


class Line:
    """One line of a terminal, written again and again."""

    def __call__(self, text):
        sys.stderr.write(f"\r\033[K{text[:79]}")
        sys.stderr.flush()

    def clear(self):
        """The line is gone."""
        self("")


class Below:
    """One output of the cell, replaced again and again."""

    def __init__(self):
        self._output, self._last = None, -EVERY_S

    def __call__(self, text):
        if time.monotonic() - self._last >= EVERY_S:
            self._show(text)

    def _show(self, text):
        from IPython.display import display  # ipykernel brings it
        said = {"text/plain": text}
        if self._output is None:
            self._output = display(said, raw=True, display_id=True)
        else:
            self._output.update(said, raw=True)
        self._last = time.monotonic()

    def clear(self):
        """The output is empty; nothing where nothing was shown."""
        if self._output is not None:
            self._show("")
