#!/usr/bin/env python3
"""Does every relative link of the Markdown pages lead to a file that is there, and to a heading in it? Has each drawing a text?

usage: tests/links.py [ROOT]
"""
import os
import re
import sys

if len(sys.argv) > 2 or any(word.startswith("-") for word in sys.argv[1:]):
    sys.exit(__doc__)
root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
CODE = re.compile(r"^```.*?^```", re.M | re.S)


def read(page):
    with open(page, encoding="utf-8") as file:
        return CODE.sub("", file.read())


def anchors(page):
    """As GitHub makes them of headings: a second one of a name ends in -1."""
    seen, made = {}, set()
    for heading in re.findall(r"^#+ +(.*?) *$", read(page), re.M):
        text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
        name = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
        made.add(f"{name}-{seen[name]}" if name in seen else name)
        seen[name] = seen.get(name, 0) + 1
    return made


pages = [os.path.join(folder, name) for top in (root, os.path.join(root, "docs"), os.path.join(root, "packaging")) if os.path.isdir(top)
         for folder, folders, names in os.walk(top) for name in names
         if name.endswith(".md") and (top != root or folder == root)]
links, wrong = 0, []
for page in sorted(pages):
    for link in re.findall(r"\]\(([^)\s]+)\)", read(page)):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        to = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
        links += 1
        if not os.path.exists(to):
            wrong.append(f"{page}: {link}: no such file")
        elif anchor and (not to.endswith(".md") or anchor not in anchors(to)):
            wrong.append(f"{page}: {link}: no such heading")
drawings = [os.path.join(folder, name) for folder, folders, names in os.walk(os.path.join(root, "docs"))
            for name in names if name.endswith(".svg")]
for drawing in drawings:
    with open(drawing, encoding="utf-8") as file:
        text = file.read()
    wrong += [f"{drawing}: has no <{part}>, which is read aloud" for part in ("title", "desc") if f"<{part}" not in text]
print("\n".join(wrong) or f"links: {links} in {len(pages)} pages, each leads somewhere")
sys.exit(1 if wrong or not links else 0)
