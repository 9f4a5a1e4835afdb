#!/usr/bin/env python3
"""The house as the linker sees it: files and folders that use each other in turn, rooms that use what the table of
tests/layers.sh does not allow, and files whose functions no header of their name declares.

usage: tests/link_cycles.py BUILD [ROOT]   BUILD: a folder that ROOT (this project, unless given) was built in
       tests/link_cycles.py --self-test    a small tree of each kind is found out
"""
import collections
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
VARIANT = re.compile(r"_(plain|v3|v4)$")
SHARED = "base"  # the room that every other may use


class Tree:
    """The sources of a project, and what the objects of a build define and use."""

    def __init__(self, build, root):
        self.build, self.root = build, root
        self.defines = {}  # symbol -> source
        self.symbols = collections.defaultdict(set)  # source -> symbols
        self.wanted = collections.defaultdict(set)
        self.newer = []
        paths = glob.glob(os.path.join(build, "CMakeFiles", "*.dir", "**", "*.o"), recursive=True)
        sources = {path: self.source_of(path) for path in sorted(paths)}
        self.read({path: source for path, source in sources.items() if source})
        self.uses = collections.defaultdict(lambda: collections.defaultdict(set))
        for source, symbols in self.wanted.items():
            for symbol in symbols:
                other = self.defines.get(symbol, source)
                if other != source:
                    self.uses[source][other].add(symbol)

    def source_of(self, path):
        """None: of a source that is gone, as a build folder keeps those, or of none that this is about."""
        source = re.search(r"\.dir/((?:src|generated)/.*)\.o$", path)
        if not source:
            return None
        source = source.group(1)
        base = self.build if source.startswith("generated/") else self.root
        if not os.path.exists(os.path.join(base, source)):
            return None
        if os.path.getmtime(os.path.join(base, source)) > os.path.getmtime(path):
            self.newer.append(source)
        return source

    def read(self, sources):
        if not sources:
            return
        out = subprocess.run(["nm", "-gA", *sources], capture_output=True, text=True, check=True).stdout
        for line in out.splitlines():
            path, part = line.rsplit(":", 1)
            source, part = sources[path], part.split()
            if len(part) == 2 and part[0] == "U":
                self.wanted[source].add(part[1])
            elif len(part) == 3 and part[1] in "TDRBGSCVWui":
                self.defines.setdefault(part[2], source)
                self.symbols[source].add(part[2])

    @staticmethod
    def text(root, name):
        with open(os.path.join(root, name), encoding="utf-8") as file:
            return file.read()

    def public(self):
        folder = os.path.join(self.root, "include")
        return " ".join(self.text(folder, name) for name in os.listdir(folder))


def cycles(graph):
    """The sets of more than one node that reach each other (Tarjan, without recursion)."""
    index, low, stack, on, found = {}, {}, [], set(), []
    for start in sorted(graph):
        if start in index:
            continue
        work = [(start, iter(sorted(graph.get(start, ()))))]
        index[start] = low[start] = len(index)
        stack.append(start)
        on.add(start)
        while work:
            node, rest = work[-1]
            for other in rest:
                if other not in index:
                    index[other] = low[other] = len(index)
                    stack.append(other)
                    on.add(other)
                    work.append((other, iter(sorted(graph.get(other, ())))))
                    break
                if other in on:
                    low[node] = min(low[node], index[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    group = set()
                    while node not in group:
                        group.add(stack.pop())
                    on -= group
                    if len(group) > 1:
                        found.append(group)
    return found


def folder_of(source):
    """A generated file counts as lying where it was made from: generated/workload/add/add.c in workload/add."""
    return os.path.dirname(re.sub(r"^(src|generated)/", "", source)) or "generated"


def room_of(source):
    return folder_of(source).split("/")[0]


def say_cycles(tree):
    wrong = 0
    for group in cycles(tree.uses):
        wrong += 1
        print(f"link: {len(group)} files use each other in turn:")
        for file in sorted(group):
            for other in sorted(group & set(tree.uses[file])):
                print(f"    {file} -> {other}: {' '.join(sorted(tree.uses[file][other]))}")
    folders = collections.defaultdict(lambda: collections.defaultdict(set))
    for file in tree.uses:
        for other, symbols in tree.uses[file].items():
            if folder_of(file) != folder_of(other):
                folders[folder_of(file)][folder_of(other)] |= {f"{file} -> {other} ({min(symbols)})"}
    for group in cycles(folders):
        wrong += 1
        print(f"link: {len(group)} folders use each other in turn:")
        for folder in sorted(group):
            for other in sorted(group & set(folders[folder])):
                print(f"    {folder} -> {other}: {', '.join(sorted(folders[folder][other])[:4])}")
    return wrong


def table(root, name):
    """The lines of a table of tests/layers.sh."""
    return re.search(rf"^{name}='\n(.*?)^'", Tree.text(root, "tests/layers.sh"), re.M | re.S).group(1)


def rooms_of_made(tree):
    """Room -> the text of what the build writes for it."""
    text = collections.defaultdict(str)
    for header, room in re.findall(r"^(\S+) (\w+)$", table(tree.root, "generated"), re.M):
        if os.path.exists(os.path.join(tree.build, "generated", header)):
            text[room] += Tree.text(tree.build, f"generated/{header}")
    return text


def say_rooms(tree):
    """A room that may use one header of another may use what that declares, and what a public header does. A file
    that the build writes belongs to the room of the table: device programs may be used by who may use kernels."""
    rooms = {room: words.split() for room, words in re.findall(r"^(\w+):(.*)$", table(tree.root, "houses"), re.M)}
    public, made = tree.public(), rooms_of_made(tree)
    wrong = 0
    for file in sorted(tree.uses):
        room = room_of(file)
        allowed = rooms.get(room, [])
        if "*" in allowed:
            continue
        made_for_it = " ".join(made[name] for name in [room, *allowed] if name in made)
        for other in sorted(tree.uses[file]):
            to = room_of(other)
            if to in (room, SHARED) or to in allowed:
                continue
            headers = [word for word in allowed if word.startswith(to + "/")]
            declared = " ".join([tree.text(tree.root, "src/" + word) for word in headers] +
                                ([public] if headers else []) + [made_for_it])
            not_declared = {name for name in tree.uses[file][other] if not re.search(rf"\b{name}\b", declared)}
            if not_declared:
                wrong += 1
                print(f"link: {room} may not use {to}: {file} -> {other}: {' '.join(sorted(not_declared))}")
    return wrong


def declaring(tree, source):
    """The headers that may declare what a file without one of its own defines: those of whose name it is a part
    ("rules.h" of "rules_faults.c"), that of its folder's name, and the public ones."""
    folder, name = os.path.split(source[:-2])
    near = [os.path.basename(path)[:-2] for path in glob.glob(os.path.join(tree.root, folder, "*.h"))]
    return [f"{folder}/{stem}.h" for stem in near
            if name == stem or name.startswith(stem + "_") or stem == os.path.basename(folder)]


def say_names(tree):
    """A name that the build's own lists declare (workloads, kernels as host C) needs no header, nor does main()."""
    public = tree.public() + " ".join(rooms_of_made(tree).values())
    wrong = 0
    for source in sorted(tree.symbols):
        if not source.startswith("src/") or os.path.exists(os.path.join(tree.root, source[:-1] + "h")):
            continue
        headers = declaring(tree, source)
        declared = public + " ".join(tree.text(tree.root, name) for name in headers)
        lost = [name for name in sorted(tree.symbols[source]) if name.startswith("be_") and
                not re.search(rf"\b({name}|{VARIANT.sub('', name)})\b", declared)]
        if lost:
            wrong += 1
            print(f"link: {source}: no header of its name or its folder's declares {' '.join(lost)}")
    return wrong


def check(build, root):
    tree = Tree(build, root)
    if not tree.symbols:
        print(f"link: {build} has no objects of {root}")
        return 1
    if tree.newer:
        print(f"link: {len(tree.newer)} sources are newer than {build} ({tree.newer[0]}): seen as they were built")
    wrong = say_cycles(tree) + say_rooms(tree) + say_names(tree)
    print(f"link: {len(tree.symbols)} files, {wrong} violations" if wrong else
          f"link: {len(tree.symbols)} files, none of which needs one that needs it")
    return 1 if wrong else 0


# ---- the test of the test ----

HOUSES = "houses='\nbase:\nlow:\nhigh: low\nwide: low/one.h\nmade:\nuser: made\n'\ngenerated='\nmade.h made\n'\n"
PLAIN = {"include/breakeven.h": "void be_public(void);",
         "src/base/base.h": "void be_base(void);", "src/base/base.c": "void be_base(void) {}",
         "src/low/one.h": "void be_one(void);", "src/low/one.c": "void be_one(void) {}"}
CALL = "void {1}(void); void {0}(void); void {0}(void) {{ {1}(); }}"
DEFINE = "void {0}(void); void {0}(void) {{}}"
CASES = [  # more files, what is said of them ("": nothing)
    ({}, ""),
    ({"src/low/two.c": CALL.format("be_public", "be_one")}, ""),
    ({"src/high/high.h": "be_high", "src/high/part.c": CALL.format("be_high", "be_one")}, ""),
    ({"src/low/one_more.c": DEFINE.format("be_one_more"), "src/low/one.h": "be_one be_one_more"}, ""),
    ({"src/low/more.c": DEFINE.format("be_more"), "src/low/one.h": "be_one be_more"}, "more.c: no header"),
    ({"src/low/a.h": "", "src/low/a.c": CALL.format("be_a", "be_b"),
      "src/low/b.h": "", "src/low/b.c": CALL.format("be_b", "be_a")}, "2 files use each other"),
    ({"src/low/a.h": "", "src/low/a.c": CALL.format("be_a", "be_b"),
      "src/low/b.h": "", "src/low/b.c": CALL.format("be_b", "be_c"),
      "src/low/c.h": "", "src/low/c.c": CALL.format("be_c", "be_a")}, "3 files use each other"),
    ({"src/low/x/a.h": "", "src/low/x/a.c": CALL.format("be_a", "be_b"),
      "src/low/y/b.h": "", "src/low/y/b.c": DEFINE.format("be_b"),
      "src/low/y/c.h": "", "src/low/y/c.c": CALL.format("be_c", "be_d"),
      "src/low/x/d.h": "", "src/low/x/d.c": DEFINE.format("be_d")}, "2 folders use each other"),
    ({"src/low/a.h": "", "src/low/a.c": CALL.format("be_a", "be_high"),
      "src/high/high.h": "", "src/high/high.c": DEFINE.format("be_high")}, "low may not use high"),
    ({"src/wide/a.h": "", "src/wide/a.c": CALL.format("be_a", "be_one")}, ""),
    ({"src/wide/a.h": "", "src/wide/a.c": CALL.format("be_a", "be_b"),
      "src/low/b.h": "", "src/low/b.c": DEFINE.format("be_b")}, "wide may not use low"),
    ({"src/user/a.h": "", "src/user/a.c": CALL.format("be_a", "be_made"),
      "build/generated/made.h": "be_made", "build/generated/low/made.c": DEFINE.format("be_made")}, ""),
    ({"src/wide/a.h": "", "src/wide/a.c": CALL.format("be_a", "be_made"),
      "build/generated/made.h": "be_made", "build/generated/low/made.c": DEFINE.format("be_made")},
     "wide may not use low"),
    ({"src/base/a.h": "", "src/base/a.c": CALL.format("be_a", "be_one")}, "base may not use low"),
    ({"src/low/gone.c": None}, ""),
]


def compile_tree(folder, files):
    """Writes the files and compiles the C ones as CMake would; one that is None was there and is not any more."""
    for name, text in files.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text or CALL.format("be_gone", "be_one") + DEFINE.format("be_twice"))
        if name.endswith(".c"):
            made = os.path.join(folder, "build", "CMakeFiles", "made.dir", re.sub("^build/", "", name) + ".o")
            os.makedirs(os.path.dirname(made), exist_ok=True)
            subprocess.run([os.environ.get("CC", "cc"), "-c", path, "-o", made], check=True)
        if text is None:
            os.unlink(path)


def self_test():
    failed = 0
    for more, expected in CASES:
        folder = tempfile.mkdtemp()
        try:
            compile_tree(folder, {**PLAIN, **more, "tests/layers.sh": HOUSES})
            run = subprocess.run([sys.executable, "-B", __file__, os.path.join(folder, "build"), folder],
                                 capture_output=True, text=True, check=False)
        finally:
            shutil.rmtree(folder)
        right = run.returncode == (1 if expected else 0) and (expected or "none of which") in run.stdout
        if not right or run.stdout.count("link: ") > 2:
            failed += 1
            print(f"link: self-test: {sorted(more)}: exit {run.returncode}, expected '{expected}':\n{run.stdout}{run.stderr}")
    print(f"link: self-test: {len(CASES)} trees tried, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        sys.exit(self_test())
    if len(sys.argv) not in (2, 3) or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    sys.exit(check(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else os.path.dirname(HERE)))
