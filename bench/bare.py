"""The questions that `leto verify --dump` wrote, as scripts for Z3 itself, in as few processes as Leto
uses: those by matching stand on one stack, the others are each set up anew."""
import os


def is_limit(option):
    return "rlimit" in option or "timeout" in option


def scripts(dump, work):
    stacks, single = {}, []  # stacks by how they are set up, as Leto has a process for each
    for name in sorted(os.listdir(dump)):
        lines = open(os.path.join(dump, name)).read().splitlines()
        options = [l for l in lines if l.startswith("(set-option")]
        body = [l for l in lines if not l.startswith("(set-option")]
        if "(set-option :auto_config false)" not in options:
            single += ["(reset)"] + lines
            continue
        manner = tuple(l for l in options if not is_limit(l))
        stack = stacks.setdefault(manner, list(manner))
        stack += [l for l in options if is_limit(l)] + ["(push 1)"] + body + ["(pop 1)"]
    paths = []
    for name, lines in [(f"stack{i}", lines) for i, lines in enumerate(stacks.values())] + [("single", single)]:
        if lines:
            paths.append(os.path.join(work, f"{os.path.basename(dump)}.{name}.smt2"))
            open(paths[-1], "w").write("\n".join(lines) + "\n")
    return paths
