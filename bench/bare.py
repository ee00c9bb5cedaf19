"""The questions that `leto verify --dump` wrote, as scripts for Z3 itself, in as few processes as Leto
uses: those by matching stand on one stack, the others are each set up anew."""
import os


def scripts(dump, work):
    stack, single = [], []
    for name in sorted(os.listdir(dump)):
        lines = open(os.path.join(dump, name)).read().splitlines()
        options = [l for l in lines if l.startswith("(set-option")]
        body = [l for l in lines if not l.startswith("(set-option")]
        if not options[0].startswith("(set-option :auto_config false)"):
            single += ["(reset)"] + lines
            continue
        if not stack:
            stack += options
        stack += [l for l in options if "rlimit" in l or "timeout" in l] + ["(push 1)"] + body + ["(pop 1)"]
    paths = []
    for name, lines in (("stack", stack), ("single", single)):
        if lines:
            paths.append(os.path.join(work, f"{os.path.basename(dump)}.{name}.smt2"))
            open(paths[-1], "w").write("\n".join(lines) + "\n")
    return paths
