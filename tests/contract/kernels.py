#!/usr/bin/env python3
"""Was every kernel of the sources launched on PoCL's device?

kernels.py [options] -- NAME=FILE...

Each program is a name and its file, as be_embed_programs() in cmake/embed.cmake has them. The compiler's
preprocessor says which kernels OpenCL gets to see. The kernels that contract tests launched stand
in --ran, files that tests/contract/kernels_run.c wrote. A kernel is left out where its source says why:

  - it is there for CUDA alone (#if defined(__CUDACC__), or an #error for OpenCL in its program);
  - it needs an extension of OpenCL that the device says it lacks.

Exit 0: all ran; 1: some did not; 77: no OpenCL device here is the CPU, and BREAKEVEN_REQUIRE_OPENCL is not 1.
"""
import argparse
import os
import re
import subprocess
import sys

# The names of what devices say they lack (docs/json.md, facts), by the extension that a source asks
# for.
EXTENSIONS = {"cl_khr_fp16": "fp16", "cl_khr_fp64": "fp64"}
LANGUAGES = {"OpenCL": "-D__OPENCL_VERSION__=120", "CUDA": "-D__CUDACC__"}


def kernels_seen(compiler, sources, file, language):
    """The kernels of a program as {(file, name)}, the extensions asked for, the files that it is made of, and why
    there are none, or None."""
    command = [compiler, "-E", "-undef", "-nostdinc", "-x", "c", LANGUAGES[language], "-I", sources, file]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        said = re.search(r"error: (?:#error )?(.*)", done.stderr)
        if not said:
            sys.exit(f"{' '.join(command)}: {done.stderr}")
        return set(), set(), [file], said[1]
    found, files, at = set(), [], "?"
    word = "__global__" if language == "CUDA" else "__kernel"
    heads = r'^# \d+ "([^"]*)"|\b' + word + r"\b[^{;]*?\b(k_\w+)\s*\("
    for marker, name in re.findall(heads, done.stdout, flags=re.M):
        if marker:
            at = os.path.relpath(marker, sources)
            if os.path.isfile(marker) and marker not in files:
                files.append(marker)
        else:
            found.add((at, name))
    extensions = set(re.findall(r"#pragma OPENCL EXTENSION (\w+) *: *enable", done.stdout))
    return found, extensions, files, None


def kernels_written(sources, files):
    """All that is called as a kernel is, whatever is defined, as {(file, name)}."""
    found = set()
    for file in files:
        with open(file, encoding="ascii") as source:
            text = re.sub(r"/\*.*?\*/", "", source.read(), flags=re.S)
        found |= {(os.path.relpath(file, sources), name) for name in re.findall(r"\bk_\w+", text)}
    return found


def what_ran(files):
    """({device}, {what it lacks}, {(program, kernel)}) of the records; a missing one is an error."""
    devices, lacks, ran = set(), set(), set()
    for path in files:
        if not os.path.exists(path):
            sys.exit(f"{path}: not there: did that test not look for devices?")
        with open(path, encoding="utf-8", errors="replace") as lines:
            for line in lines:
                word, rest = line.rstrip("\n").split(" ", 1)
                if word == "device":
                    devices.add(rest)
                elif word == "lacks":
                    lacks.add(rest)
                else:
                    ran.add(tuple(rest.split(" ")))
    return devices, lacks, ran


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--sources", required=True, help="the folder that includes begin from")
    parser.add_argument("--ran", required=True, nargs="+", metavar="FILE")
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()
    programs = dict(word.split("=", 1) for word in options.program)

    devices, lacks, ran = what_ran(options.ran)
    if not devices:
        required = os.environ.get("BREAKEVEN_REQUIRE_OPENCL") == "1"
        print(f"{'failed' if required else 'skipped'}: no contract test met an OpenCL device that is the CPU (PoCL)")
        return 1 if required else 77
    print("\n".join(sorted(devices)))

    need, left_out, launched = set(), {}, set()
    for name, file in programs.items():
        found, extensions, _, refused = kernels_seen(options.compiler, options.sources, file, "OpenCL")
        on_cuda, _, files, no_cuda = kernels_seen(options.compiler, options.sources, file, "CUDA")
        if no_cuda:
            sys.exit(f"{name}: CUDA: {no_cuda}")
        found |= kernels_written(options.sources, files) - on_cuda  # only where a problem defines something
        lacking = [e for e in extensions if EXTENSIONS.get(e) in lacks]
        for kernel in found | on_cuda:
            if (name, kernel[1]) in ran:
                launched.add(kernel)
            if refused:
                left_out[kernel] = refused
            elif kernel not in found:
                left_out[kernel] = "for CUDA alone"
            elif lacking:
                left_out[kernel] = f"the device has no {lacking[0]}"
            else:
                need.add(kernel)
    for kernel in sorted(set(left_out) - need - launched):
        print(f"left out: {kernel[1]} of {kernel[0]}: {left_out[kernel]}")
    missing = need - launched
    for kernel in sorted(missing):
        print(f"never launched: {kernel[1]} of {kernel[0]}")
    print(f"{len(launched)} kernels launched, {len(missing)} of {len(need)} that OpenCL has were not")
    return 1 if missing or not need else 0


if __name__ == "__main__":
    sys.exit(main())
