#!/usr/bin/env python3
"""Runs notebooks without Jupyter and keeps their output in them: results, charts, and in a last cell the date, the
machine and the libraries.

usage: notebooks.py [--out FOLDER] [NOTEBOOK...]
  NOTEBOOK   default: all of examples/courses
  --out      writes the notebooks with their output there; default: where they are
"""
import argparse
import ast
import contextlib
import io
import json
import os
import pathlib
import sys
import time
import traceback

COURSES = pathlib.Path(__file__).resolve().parents[1] / "examples" / "courses"
MARK = {"breakeven": "surroundings"}


def last_value(code, name, names):
    """Runs a cell; the value of the expression that it ends with, or None."""
    body = ast.parse(code, name)
    ends = body.body and isinstance(body.body[-1], ast.Expr)
    last = ast.Expression(body.body.pop().value) if ends else None
    exec(compile(body, name, "exec"), names)
    return eval(compile(last, name, "eval"), names) if last else None


def lines_of(text):
    return text.splitlines(keepends=True)


def outputs_of(code, name, names, count):
    """The outputs of a cell as a notebook has them."""
    said, outputs = io.StringIO(), []
    with contextlib.redirect_stdout(said):
        value = last_value(code, name, names)
    if said.getvalue():
        outputs.append({"output_type": "stream", "name": "stdout", "text": lines_of(said.getvalue())})
    if value is not None:
        data = {"text/plain": lines_of(repr(value))}
        if hasattr(value, "_repr_html_"):
            data["text/html"] = lines_of(value._repr_html_())
        outputs.append({"output_type": "execute_result", "execution_count": count, "metadata": {}, "data": data})
    return outputs


def surroundings():
    """When and where: a line of Markdown."""
    import breakeven as be
    here = be.machine()
    devices = [device.name for device in here.devices if device.kind == "gpu"]
    libraries = [f"{name} {sys.modules[name].__version__}" for name in ("numpy", "torch", "jax", "cupy", "dpnp")
                 if hasattr(sys.modules.get(name), "__version__")]
    return (f"*Output of {time.strftime('%Y-%m-%d', time.gmtime())}: {here.cpu}, {here.cores_allowed} cores, "
            f"{', '.join(devices) or 'no GPU'}; {', '.join(libraries)}; load {os.getloadavg()[0]:.1f}.*")


def run(path, folder):
    """Runs one and writes it; False: a cell raised."""
    book, names, count = json.loads(path.read_text(encoding="utf-8")), {"__name__": "__main__"}, 0
    book["cells"] = [cell for cell in book["cells"] if cell["metadata"] != MARK]
    for cell in book["cells"]:
        if cell["cell_type"] != "code":
            continue
        count += 1
        try:
            cell["outputs"] = outputs_of("".join(cell["source"]), f"{path.name}, cell {count}", names, count)
        except Exception:
            print(f"{path.name}, cell {count}:\n{traceback.format_exc(limit=-1)}", file=sys.stderr)
            return False
        cell["execution_count"] = count
    book["cells"].append({"cell_type": "markdown", "id": "surroundings", "metadata": MARK, "source": [surroundings()]})
    (folder or path.parent).mkdir(parents=True, exist_ok=True)
    (folder or path.parent).joinpath(path.name).write_text(json.dumps(book, indent=1, ensure_ascii=False) + "\n",
                                                          encoding="utf-8")
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("notebook", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    paths = options.notebook or sorted(COURSES.glob("*.ipynb"))
    for path in paths:
        if not path.is_file():
            parser.error(f"{path} is not here: name a notebook, as examples/courses/solve.ipynb")
    wrong = []
    for path in paths:
        start = time.perf_counter()
        wrong += [] if run(path, options.out) else [path.name]
        print(f"{path.name}: {time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)
    sys.exit(f"notebooks.py: {', '.join(wrong)} ended with an error" if wrong else 0)


if __name__ == "__main__":
    main()
