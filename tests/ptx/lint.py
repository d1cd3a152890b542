#!/usr/bin/env python3
"""Compares the PTX of every test pipeline with its lowering table.

usage: lint.py TARGET PROMISES KERNELS.cu COMPILER [ARGUMENT...]

TARGET is 75, 80, 90, …; PROMISES is the program that prints what the tables promise. For each kernel:
  1. every path through its control flow executes a sequence of synchronisation instructions that the table allows;
  2. the traces of whole runs that the table prescribes are paths of the kernel;
  3. the first thread of each agent, executed instruction by instruction in runs of a few lengths, meets exactly what
     the table prescribes, with the address and the parity of every signal.
The first finds what is too much, out of order, or missing where nothing excuses it; the second what is missing
altogether; the third a wrong number where the others only see that there is one. None depends on how the compiler lays
out blocks, peels or unswitches loops.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

import execute
import ptx


class Promise:
    """A regular language over symbols, as an automaton without determinism."""

    def __init__(self, language):
        self.symbols = language["symbols"]
        self.words = language["words"]
        self.runs = language["runs"]
        self.silent, self.moves = [], []
        self.start, self.end = self._state(), None
        self.end = self._build(language["allowed"], self.start)
        self.closures = {}

    def _state(self):
        self.silent.append([])
        self.moves.append([])
        return len(self.silent) - 1

    def _build(self, node, at):
        if isinstance(node, int):
            end = self._state()
            self.moves[at].append((node, end))
            if self.symbols[node].get("repeats"):
                self.moves[end].append((node, end))
            return end
        kind, parts = node[0], node[1:]
        if kind == "seq":
            for part in parts:
                at = self._build(part, at)
            return at
        if kind == "star":
            self.silent[at].append(head := self._state())
            self.silent[self._build(parts[0], head)].append(head)
            return head
        end = self._state()
        for part in parts:
            self.silent[self._build(part, at)].append(end)
        if kind == "opt":
            self.silent[at].append(end)
        return end

    def closure(self, states):
        key = frozenset(states)
        if key not in self.closures:
            reached, todo = set(key), list(key)
            while todo:
                for to in self.silent[todo.pop()]:
                    if to not in reached:
                        reached.add(to)
                        todo.append(to)
            self.closures[key] = frozenset(reached)
        return self.closures[key]

    def after(self, states, symbol):
        return self.closure(to for s in states for wanted, to in self.moves[s] if agree(symbol, self.symbols[wanted]))

    def expected(self, states):
        return sorted({describe(self.symbols[wanted]) for s in states for wanted, _ in self.moves[s]})


def describe(wanted):
    text = wanted["op"]
    if "number" in wanted and text not in ("bar.warp.sync",):
        text += f" {wanted['number']}"
    if "ring" in wanted:
        text += f" @{wanted['ring']}-{wanted['back']}" + (" flipped" if wanted.get("flips") else "")
    return text


def agree(found, wanted):
    """Can this instruction be the one that the table promises? An operand that is not known agrees with anything."""
    if found.op != wanted["op"] or found.threads != wanted.get("threads", 0):
        return False
    if "number" in wanted and found.number is not None and found.number != wanted["number"]:
        return False
    if "flips" in wanted and found.flips is not None and found.flips != wanted["flips"]:
        return False
    return "at" not in wanted or found.address is None or address_agrees(found.address, wanted)


def address_agrees(forms, wanted):
    """Slot s has address base + at + 8 s; `back` instances earlier s is less by that, or more by what the ring leaves."""
    constants = sorted(signed(constant) for constant, _ in forms)
    if len(constants) > 2:
        return True  # not understood
    if wanted["back"] == 0:
        return constants == [wanted["at"]]
    if constants == [wanted["at"]]:  # of two slots the other one
        return wanted["slots"] == 2 and any(term.startswith("xor ") for term in forms[0][1])
    return constants == [wanted["at"] - 8 * wanted["back"], wanted["at"] + 8 * (wanted["slots"] - wanted["back"])]


def signed(value):
    return value - ptx.WORD if value >= ptx.WORD // 2 else value


def find_forbidden(kernel, promise):
    """A shortest path of the kernel that the table does not allow, as text; None if there is none."""
    start = (0, promise.closure([promise.start]))
    before, todo = {start: None}, [start]
    for place, states in todo:  # grows while it is walked
        if place in kernel.exits and promise.end not in states:
            allowed = ", ".join(promise.expected(states))
            return path_text(before, (place, states)) + [f"ends, where the table has {allowed}"]
        for symbol, to in kernel.edges[place]:
            after = states if symbol is None else promise.after(states, symbol)
            if not after:
                allowed = ", ".join(promise.expected(states)) or "the end"
                return path_text(before, (place, states)) + [
                    f"then has `{symbol.text}` in line {symbol.line}, where the table has {allowed}"]
            if (to, after) not in before:
                before[(to, after)] = ((place, states), symbol)
                todo.append((to, after))
    return None


def path_text(before, at, shown=6):
    path = []
    while before[at]:
        at, symbol = before[at]
        if symbol is not None:
            path.append(symbol.text)
    path.reverse()
    return ["after " + ("… " if len(path) > shown else "") + "; ".join(path[-shown:])] if path else []


def find_missing(kernel, promise, word):
    """How far a trace that the table prescribes gets in the kernel, as text; None if all the way."""
    places = kernel.closure([0])
    done = []
    for number in word:
        wanted = promise.symbols[number]

        def step(at):
            return kernel.closure({to for p in at for symbol, to in kernel.edges[p]
                                   if symbol is not None and agree(symbol, wanted)})
        after = step(places)
        while wanted.get("repeats") and not (more := step(after)) <= after:
            after |= more
        if not after:
            found = sorted({symbol.text for p in places for symbol, _ in kernel.edges[p] if symbol is not None})
            others = ", ".join(f"`{text}`" for text in found) or "nothing"
            return [f"after … {'; '.join(done[-6:])}",
                    f"the table prescribes {describe(wanted)}, but the kernel can only go on with {others}"]
        places = after
        done.append(describe(wanted))
    return None if places & kernel.exits else ["the kernel does not end where a run of its table does"]


def find_deviation(kernel, promise):
    """Where a thread does something else in a run than the table prescribes, as text; None if it never does."""
    memories = {}
    for run in promise.runs:
        arguments = {0: 1 << 40, 8: run["n"], 16: -1}  # memory, n, stop_at: never
        memory = memories.setdefault(run["n"], {})
        met = once_each(execute.Thread(kernel, run["thread"], run["threads"], arguments, memory).run())
        wanted = [(promise.symbols[number], *place) for number, *place in run["trace"]]
        for step in range(max(len(met), len(wanted))):
            have = met[step] if step < len(met) else None
            want = wanted[step] if step < len(wanted) else None
            if have is None or want is None or not agree(have.symbol, want[0]) or not lies_where(have, want[1:]):
                return [f"in a run of {run['n']}, thread {run['thread']}, instruction {step}:",
                        f"has {'the end' if have is None else met_text(have)}, "
                        f"where the table has {'the end' if want is None else wanted_text(*want)}"]
    return None


def once_each(met):
    """However many cp.async instructions a thread needs for its share of a copy, the table has one."""
    repeats = [k > 0 and m.symbol.op == met[k - 1].symbol.op == "cp.async.shared.global" for k, m in enumerate(met)]
    return [m for m, again in zip(met, repeats) if not again]


def prescribed(language):
    """What single threads execute according to a table, in a form that two tables share."""
    symbols = [{k: s.get(k) for k in ("op", "number", "threads")} for s in language["symbols"]]
    return [(r["thread"], r["n"], [(symbols[number], *place) for number, *place in r["trace"]])
            for r in language["runs"]]


def lies_where(met, place):
    return not place or (met.offset == place[0] and (place[1] < 0 or met.parity == place[1]))


def met_text(met):
    place = "" if met.offset is None else f" at {met.offset}" + ("" if met.parity is None else f", parity {met.parity}")
    return f"`{met.symbol.text}`{place} in line {met.symbol.line}"


def wanted_text(symbol, offset=None, parity=-1):
    place = "" if offset is None else f" at {offset}" + ("" if parity < 0 else f", parity {parity}")
    return describe(symbol) + place


def faults_of_paths(kernel, promise):
    """What is wrong with a kernel's paths, as lines."""
    found = find_forbidden(kernel, promise)
    if found:
        return found
    for word in promise.words:
        found = find_missing(kernel, promise, word)
        if found:
            return found
    return []


def faults(kernel, promise):
    """What is wrong with a kernel, as lines."""
    return faults_of_paths(kernel, promise) or find_deviation(kernel, promise) or []


class Ideal:
    """The graph of a kernel that executes just what a table promises."""

    def __init__(self, language):
        promise = Promise(language)
        self.exits = {promise.end}
        self.edges = [[(None, to) for to in silent] + [(as_found(promise.symbols[k]), to) for k, to in moves]
                      for silent, moves in zip(promise.silent, promise.moves)]

    closure = ptx.Kernel.closure


def as_found(wanted):
    address = None
    if "at" in wanted:
        back, at = wanted["back"], wanted["at"]
        address = [(at, {})] if back == 0 else [(at - 8 * back, {}), (at + 8 * (wanted["slots"] - back), {})]
    return ptx.Symbol(wanted["op"], 0, describe(wanted), wanted.get("number"), wanted.get("threads", 0), address,
                      wanted.get("flips"))


def compile_ptx(source, target, compiler):
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder, "kernels.ptx")
        command = [*compiler, "-std=c++20", "-ptx", f"-arch=compute_{target}", "-o", str(out), source]
        run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
                             errors="replace", check=False)
        if run.returncode:
            sys.exit(f"{' '.join(command)}\n{run.stdout[-4000:]}")
        return out.read_text(encoding="utf-8")


def promises_of(program, *arguments):
    run = subprocess.run([program, *arguments], stdout=subprocess.PIPE, encoding="utf-8", check=False)
    if run.returncode:
        sys.exit(f"{program} {' '.join(arguments)}: status {run.returncode}")
    return json.loads(run.stdout)


def check(text, promises, pattern):
    """Returns the number of kernels with faults, after printing each; and some figures."""
    kernels = ptx.read_kernels(text, pattern)
    if sorted(kernels) != sorted(map(str, range(len(promises)))):
        sys.exit(f"{len(promises)} kernels are promised, but the PTX holds {len(kernels)}")
    wrong, instructions, known, addresses = 0, 0, 0, 0
    for number, promise in enumerate(promises):
        kernel = kernels[str(number)]
        found = faults(kernel, Promise(promise["language"]))
        for line in [f"FAIL {promise['name']}"] + [f"     {f}" for f in found] if found else []:
            print(line)
        wrong += bool(found)
        instructions += len(kernel.symbols)
        with_address = [s for s in kernel.symbols if s.address is not None]
        addresses += len(with_address)
        known += sum(len(s.address) == 2 or bool(s.address[0][0]) for s in with_address)
    print(f"{len(promises)} kernels, {instructions} synchronisation instructions, {addresses} addresses of signals, "
          f"{known} of them followed to their ring: {len(promises) - wrong} as their tables promise")
    return wrong


def main():
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    target, program, source, *compiler = sys.argv[1:]
    text = compile_ptx(source, target, compiler)
    sys.exit(1 if check(text, promises_of(program, target), r"lint_kernelILi(\d+)E") else 0)


if __name__ == "__main__":
    main()
