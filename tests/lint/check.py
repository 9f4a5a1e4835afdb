#!/usr/bin/env python3
"""Every rule of `breakeven lint` on scripts where it must speak and where it must not (corpus.py).

usage: check.py BREAKEVEN            the rules, their fixes, and the shape of JSON and SARIF
       check.py BREAKEVEN --sbatch   also against sbatch: what it takes has no error, what it refuses has one
"""
import argparse
import concurrent.futures
import copy
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import corpus  # noqa: E402
import everyday  # noqa: E402,F401 adds its scripts
import scattered  # noqa: E402

CATALOGUE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../slurm/cluster.json")
FIXED_OF = {}

# Messages with which sbatch refuses for reasons that are the site's, or the moment's: no linter can know them without
# asking. Each is a message of sbatch 22.05 or 24.11, or of their controllers.
SITE = re.compile("|".join((
    "node configuration is not available", "Invalid feature", "Invalid license", "invalid partition specified",
    "reservation is invalid", "Invalid node name", "talking to database", "can't be reached now",
    "governor of .* is not allowed", "Invalid --uid", "Invalid --gid", "not supported on this system",
    "Invalid account", "Invalid qos", "time limit is invalid", "Preemption is required but is disabled",
    "Job dependency problem")))


class Checks:
    def __init__(self):
        self.done = self.failed = 0

    def check(self, right, text, script=b""):
        self.done += 1
        if not right:
            self.failed += 1
            print(f"FAILED   {text}\n         {script!r}")


def lint(program, script, *words):
    """The findings, and the exit code."""
    run = subprocess.run([program, "lint", "--json", f"--catalogue={CATALOGUE}", *words, "-"], input=script,
                         capture_output=True)
    if run.returncode not in (0, 1):
        raise SystemExit(f"{words} {script!r}: exit {run.returncode}: {run.stderr.decode()}")
    return json.loads(run.stdout)["findings"], run.returncode


def check_case(checks, program, case):
    findings, code = lint(program, case.script, *case.words)
    spoke = [f for f in findings if f["rule"] == case.rule]
    checks.check(bool(spoke) == case.fires, f"{case.rule}: {'silent' if case.fires else 'spoke'}", case.script)
    errors = [f for f in findings if f["severity"] == "error"]
    checks.check((code == 1) == bool(errors), f"{case.rule}: exit {code}", case.script)
    if any(f["safe"] for f in findings):
        check_fix(checks, program, case, findings)
    if any(f.get("edits") and not f["safe"] for f in findings):
        check_unsafe(checks, program, case, findings)


def check_fix(checks, program, case, before):
    """A fault that was put right does not come again, and nothing new is refused."""
    fixed = subprocess.run([program, "lint", "--fix", "-"], input=case.script, capture_output=True).stdout
    after, _ = lint(program, fixed, *case.words)
    checks.check(not any(f["safe"] for f in after), f"{case.rule}: fixes remain", case.script)
    FIXED_OF[case.script] = fixed
    left = {f["rule"] for f in before if f["severity"] == "error" and not f["safe"]}
    new = {f["rule"] for f in after if f["severity"] == "error"} - left
    checks.check(not new, f"{case.rule}: the fix made {new}", case.script)


def check_unsafe(checks, program, case, before):
    """A fix that makes another job is made when that is asked for, and makes none that is refused."""
    fixed = subprocess.run([program, "lint", "--fix=unsafe", "-"], input=case.script, capture_output=True).stdout
    after, _ = lint(program, fixed, *case.words)
    errors = [sum(f["severity"] == "error" for f in findings) for findings in (before, after)]
    checks.check(errors[1] <= errors[0], f"{case.rule}: --fix=unsafe: {errors} errors", case.script)
    safely = subprocess.run([program, "lint", "--fix", "-"], input=case.script, capture_output=True).stdout
    if not any(f["safe"] for f in before):
        checks.check(safely == case.script, f"{case.rule}: --fix changes what it should not", case.script)


def check_both_ways(checks, program):
    listed = subprocess.run([program, "lint", "--list", "--markdown"], capture_output=True, text=True).stdout
    rules = re.findall(r"^\| `([a-z-]+)` ", listed, re.M)
    checks.check(len(rules) > 40, "--list has the rules")
    fires = {(case.rule, case.fires) for case in corpus.CASES}
    apart = {"no-account", "site-way", "site-needs"}  # of clusters that tests/slurm is not; check_site has them
    for rule in rules:
        for way in (True, False):
            checks.check((rule, way) in fires or rule in apart, f"{rule}: no script where it is {way}")
    for rule, _ in fires:
        checks.check(rule in rules, f"{rule}: there is no such rule")


def check_site(checks, program):
    share = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../share/clusters")
    gpu = corpus.job("--gpus=1 --time=5 -c4 --mem=8G")
    standby = corpus.job("--gpus=1 --time=5 -c4 --mem=8G --partition=gpu-standby")
    cases = [("narval", "no-account", True, gpu), ("vermilion", "site-way", True, gpu),
             ("kestrel", "site-way", False, gpu), ("swift", "no-such-partition", False, standby)]
    cases += [("trillium", "whole-nodes", way, corpus.job("--time=60 --account=a " + words, commands)) for way, words, commands in (
        (True, "-c8", "./a.out\n"), (True, "", "srun ./a.out\n"), (False, "-c192", "./a.out\n"),
        (False, "-n192", "srun ./a.out\n"), (False, "", "parallel -j 192 ./a {} ::: *.in\n"),
        (False, "--gpus-per-node=h100:1 -c8", "./a.out\n"))]
    cases += [("perlmutter", "site-needs", way, corpus.job("--time=5 -C cpu " + words)) for way, words in (
        (True, ""), (False, "-q regular"))] + [("narval", "site-needs", False, gpu), ("lumi", "site-needs", True, gpu)]
    # A QOS has a limit of its own, in the place of the partition's.
    cases += [("leonardo", "above-limit", way, corpus.job("-A a --gres=gpu:1 -p boost_usr_prod " + words)) for way, words in (
        (True, "--time=2-0"), (False, "--time=2-0 -q boost_qos_lprod"), (True, "--time=60 -q boost_qos_dbg"), (False, "--time=60"))]
    cases += [("rorqual", "whole-nodes", False, corpus.job("--time=60 --account=a -c8", "./a.out\n"))]
    # As many as a job may have, and one more.
    for cluster, rule, most, words in (("narval", "gpus-above-node", 1, "--gpus=a100_1g.5gb:{}"),
                                       ("kestrel", "gpus-above-node", 2, "--partition=debug --gpus={}"),
                                       ("kestrel", "above-limit", 2, "--partition=debug --nodes={}")):
        cases += [(cluster, rule, more, corpus.job("--time=5 --account=a " + words.format(most + more)))
                  for more in (False, True)]
    for cluster, rule, way, script in cases:
        run = subprocess.run([program, "lint", "--json", f"--catalogue={share}", f"--cluster={cluster}", "-"], input=script,
                             capture_output=True)
        rules = [f["rule"] for f in json.loads(run.stdout)["findings"]]
        checks.check((rule in rules) == way, f"{cluster}: {rule} {rules}", script)


def check_unknown(checks, program):
    """Where a node may be larger than is known, nothing is too large for it."""
    with open(CATALOGUE, encoding="utf-8") as file:
        known = json.load(file)
    for key, rule, words in (("cores", "cores-above-node", "-c65"), ("memory_mib", "memory-above-node", "--mem=600G")):
        catalogue = copy.deepcopy(known)
        nodes = catalogue["clusters"][0]["nodes"]
        script = corpus.job("--time=5 -p all " + words)
        for nodes_known in (True, False):
            if not nodes_known:
                del nodes[0][key]
            with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
                json.dump(catalogue, file)
                file.flush()
                run = subprocess.run([program, "lint", "--json", f"--catalogue={file.name}", "--cluster=breakeven", "-"],
                                     input=script, capture_output=True)
            rules = [f["rule"] for f in json.loads(run.stdout)["findings"]]
            checks.check((rule in rules) == nodes_known, f"{key} {nodes_known}: {rule} {rules}", script)


def check_sarif(checks, program):
    script = corpus.job("ntasks=1\n--time=2h\n--mem=1G --mem-per-cpu=1G", "hostname\n#SBATCH --gpus=1\n")
    out = subprocess.run([program, "lint", "--sarif", "-"], input=script, capture_output=True).stdout
    sarif = json.loads(out)
    run = sarif["runs"][0]
    ids = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    checks.check(sarif["version"] == "2.1.0" and run["columnKind"] == "unicodeCodePoints", "SARIF: version")
    checks.check(len(set(ids)) == len(ids), "SARIF: rules are there once")
    checks.check(len(run["results"]) >= 4, "SARIF: results")
    for result in run["results"]:
        region = result["locations"][0]["physicalLocation"]["region"]
        checks.check(ids[result["ruleIndex"]] == result["ruleId"], "SARIF: ruleIndex")
        checks.check(result["level"] in ("error", "warning", "note") and result["message"]["text"], "SARIF: level, text")
        checks.check((region["startLine"], region["startColumn"]) <= (region["endLine"], region["endColumn"]),
                     f"SARIF: region {region}")
        for change in (c for fix in result.get("fixes", []) for c in fix["artifactChanges"]):
            for replacement in change["replacements"]:
                deleted = replacement["deletedRegion"]
                checks.check(deleted["byteOffset"] + deleted["byteLength"] <= len(script), "SARIF: deletedRegion")


def verdict(folder, script):
    """Does sbatch take it, and what does it say?"""
    with tempfile.NamedTemporaryFile("wb", dir=folder) as file:
        file.write(script)
        file.flush()
        run = subprocess.run(["sbatch", "--test-only", file.name], capture_output=True, cwd=folder)
    return run.returncode == 0, run.stderr.decode("utf-8", "replace")


def asked(folder, script):
    """The resources that sbatch says a script asks for; None: it refuses it."""
    path = os.path.join(folder, "job.sh")
    with open(path, "wb") as file:
        file.write(script)
    run = subprocess.run(["sbatch", "-v", "--test-only", path], capture_output=True, cwd=folder)
    text = run.stderr.decode("utf-8", "replace")
    return None if run.returncode else [line for line in text.splitlines() if re.match(r"sbatch: \S+ +: ", line)]


def check_same_job(checks, folder):
    """A fix that is safe leaves the job as it is, where sbatch takes it at all."""
    for script, fixed in FIXED_OF.items():
        before = asked(folder, script)
        if before is not None:
            after = asked(folder, fixed)
            checks.check(before == after, f"the fix makes another job: {before} {after}", script)


def check_sbatch(checks, program, rounds, seed):
    version = subprocess.run(["sbatch", "--version"], capture_output=True, text=True).stdout.split()[-1]
    taken = refused = site = 0
    # The version that is here counts.
    scripts = [(case.script, tuple(w for w in case.words if not w.startswith("--slurm"))) for case in corpus.CASES]
    scripts += [(fixed, ()) for fixed in FIXED_OF.values()]
    scripts += [(script, ()) for script in scattered.of_options(rounds, seed)]
    scripts += [(script, ()) for script in scattered.of_gpus(rounds, seed)]
    scripts += [(script, ()) for script in scattered.of_pbs(rounds // 2, seed)]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        def both(case):
            return verdict(folder, case[0]), lint(program, case[0], f"--slurm={version}", *case[1])[0]

        for (script, words), ((accepted, text), findings) in zip(scripts, pool.map(both, scripts)):
            errors = [f["rule"] for f in findings if f["severity"] == "error"]
            if accepted and "using 0 processors" in text and b"--gres" in script:
                site += 1  # 24.11 holds the generic resources of a job without a node against nothing
            elif accepted:
                taken += 1
                # A site may take what the catalogue does not have, or wait for ever: these are no parser's.
                checks.check(not errors or (words and errors == ["above-limit"]), f"sbatch takes it, we say {errors}", script)
            elif SITE.search(text) and not words:
                site += 1
            elif "Invalid job array" in text and any(f["rule"] == "large-index" for f in findings):
                site += 1
            else:
                refused += 1
                checks.check(errors, f"sbatch refuses it, we do not: {text.splitlines()[0]}", script)
        check_same_job(checks, folder)
    print(f"sbatch {version}: {len(scripts)} scripts: {taken} taken, {refused} refused, {site} refused for the site's reasons")
    checks.check(taken > 100 and refused > 100, "both kinds are there")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--sbatch", action="store_true")
    parser.add_argument("--rounds", type=int, default=400, help="scripts picked at random")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    program = os.path.realpath(options.program)
    checks = Checks()
    for case in corpus.CASES:
        check_case(checks, program, case)
    check_both_ways(checks, program)
    check_site(checks, program)
    check_unknown(checks, program)
    check_sarif(checks, program)
    if options.sbatch:
        check_sbatch(checks, program, options.rounds, options.seed)
    print(f"lint: {len(corpus.CASES)} scripts, {checks.done} checks, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
