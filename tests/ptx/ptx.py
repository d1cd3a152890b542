"""Reads PTX as far as the lint needs it: the synchronisation instructions of kernels, and the paths between them."""
import re

SYNCHRONISES = re.compile(r"(mbarrier|cp\.(async|reduce|prefetch)|fence|membar|bar|barrier|elect|griddepcontrol)\.")
SAME_AS = {"bar.cta.sync": "bar.sync", "barrier.sync.aligned": "bar.sync", "barrier.cta.sync.aligned": "bar.sync",
           "bar.cta.red.or.pred": "bar.red.or.pred", "barrier.red.or.pred.aligned": "bar.red.or.pred",
           "barrier.cta.red.or.pred.aligned": "bar.red.or.pred", "cp.async.cg.shared.global": "cp.async.shared.global",
           "cp.async.ca.shared.global": "cp.async.shared.global"}
WORD = 1 << 32


class Unreadable(Exception):
    """What this reader does not understand in a kernel: nothing can be said of it."""


def split_operands(text):
    """At the commas that are in no bracket."""
    parts, depth = [""], 0
    for c in text:
        depth += (c in "[{(") - (c in "]})")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return [p.strip() for p in parts if p.strip()]


class Instruction:
    def __init__(self, op, operands, guard, line):
        self.op, self.operands, self.guard, self.line = op, operands, guard, line

    def __str__(self):
        return f"{self.op} {', '.join(self.operands)}".strip()


class Symbol:
    """A synchronisation instruction with what could be found out of its operands."""

    def __init__(self, op, line, text, number=None, threads=0, address=None, flips=None):
        self.op, self.line, self.text, self.number, self.threads = op, line, text, number, threads
        self.address, self.flips = address, flips


class Kernel:
    """A control-flow graph: nodes are places between instructions; edges[node] holds (Symbol or None, next node)."""

    def __init__(self, name, body, first_line):
        self.name = name
        self.instructions, self.labels = self._read(body, first_line)
        self.definitions = self._find_definitions()
        self.memo = {}
        self.exits, self.edges = set(), []
        self.symbols = []
        self._draw()

    @staticmethod
    def _read(body, first_line):
        instructions, labels, pending = [], {}, ""
        for offset, text in enumerate(body):
            mark = re.match(r"\s*// stage (\d+)\s*$", text)
            if mark:
                instructions.append(Instruction("call", [mark[1]], None, first_line + offset))
                continue
            pending += " " + text.split("//")[0]
            while True:
                label = re.match(r"[\s{}]*(\$?[\w$]+):(?!:)", pending)
                if label:
                    labels[label[1]] = len(instructions)
                    pending = pending[label.end():]
                    continue
                end = pending.find(";")
                if end < 0:
                    break
                statement, pending = pending[:end].lstrip(" \t{}").rstrip(), pending[end + 1:]
                match = re.match(r"(@!?[%\w]+\s+)?([\w.:]+)\s*(.*)$", statement, re.DOTALL)
                if not match or statement.startswith("."):
                    continue
                instructions.append(Instruction(match[2], split_operands(match[3]), match[1], first_line + offset))
        return instructions, labels

    def _find_definitions(self):
        """The instructions that write each register: mostly one, as compilers keep values in single assignment."""
        found = {}
        for i in self.instructions:
            if i.op.startswith(("st.", "bra", "ret", "bar.", "call")) or not "".join(i.operands).startswith("%"):
                continue
            for register in i.operands[0].split("|"):
                found.setdefault(register, []).append(i)
        return found

    def definition(self, register):
        made = self.definitions.get(register, [])
        return made[0] if len(made) == 1 and not made[0].guard else None

    # ---------------------------------------------------------------------------------------------------- values
    def literal(self, operand):
        match = re.fullmatch(r"(-?)(0[xX][0-9a-fA-F]+|\d+)U?", operand)
        if match:
            return int(match[1] + match[2], 0)
        made = self.definition(operand)
        return self.literal(made.operands[1]) if made and made.op.startswith("mov.") else None

    def forms(self, operand):
        """The ways an address is made: (constant, {register: factor}); two where one of two constants is selected."""
        if operand not in self.memo:
            self.memo[operand] = [(0, {operand: 1})]  # for what is defined by itself
            self.memo[operand] = self._forms(operand)
        return self.memo[operand]

    def _forms(self, operand):
        opaque = [(0, {operand: 1})]
        plus = re.fullmatch(r"(\S+?)\+(-?\d+)", operand)
        if plus:
            return [added((int(plus[2]), {}), f) for f in self.forms(plus[1])]
        value = self.literal(operand)
        if value is not None:
            return [(value % WORD, {})]
        all_made = self.definitions.get(operand, [])
        if len(all_made) == 2:  # one of two constants may be added on two branches
            return either([self._made(i, opaque) for i in all_made], opaque)
        return self._made(all_made[0], opaque) if len(all_made) == 1 and not all_made[0].guard else opaque

    def _made(self, made, opaque):
        kind, sources = made.op.split(".")[0], made.operands[1:]
        if kind in ("mov", "cvt", "cvta") and len(sources) == 1:
            return self.forms(sources[0])
        if kind in ("add", "sub"):
            sign = 1 if kind == "add" else -1
            return combined(self.forms(sources[0]), [scaled(f, sign) for f in self.forms(sources[1])])
        if kind in ("shl", "mul", "mad") and ".hi" not in made.op:
            factor = self.literal(sources[1])
            base = sources[0]
            if factor is None and kind != "shl":
                factor, base = self.literal(sources[0]), sources[1]
            if factor is None:
                return opaque
            product = [scaled(f, 1 << factor if kind == "shl" else factor) for f in self.forms(base)]
            return combined(product, self.forms(sources[2])) if kind == "mad" else product
        if kind == "selp":
            return either([self.forms(sources[0]), self.forms(sources[1])], opaque)
        if kind == "xor":
            return [(0, {f"xor {made.operands[0]}": 1})]
        return opaque

    def flips(self, operand, asked=()):
        """Does a parity differ from its cursor's, a wrap of the slot aside? 0 or 1, or None if that cannot be seen."""
        value = self.literal(operand)
        if value is not None:
            return value & 1
        all_made = self.definitions.get(operand, [])
        if len(all_made) != 1:  # carried around a loop: a cursor, or one that began flipped
            if any(i.op.startswith("xor.") and self.literal(i.operands[-1]) is not None for i in all_made):
                return None  # of a single slot: flipped in place, who knows how long before
            first = [self.literal(i.operands[1]) for i in all_made if i.op.startswith("mov.")]
            known = [value for value in first if value is not None]
            return known[0] & 1 if len(known) == 1 else 0
        kind, sources = all_made[0].op.split(".")[0], all_made[0].operands[1:]
        if operand in asked:
            return None
        if kind in ("mov", "cvt"):
            return self.flips(sources[0], (*asked, operand))
        if kind == "xor":
            both = [self.flips(source, (*asked, operand)) for source in sources]
            return None if None in both else both[0] ^ both[1]
        if kind == "selp" and [self.literal(s) for s in sources[:2]] in ([0, 1], [1, 0]):
            wraps = self._is_wrap(sources[2])
            return None if wraps is None else int(wraps != (self.literal(sources[0]) == 1))
        return None

    def _is_wrap(self, predicate):
        """Does this compare a slot to say that going back wraps it, or that it does not?"""
        made = self.definition(predicate)
        if not made or not made.op.startswith("setp."):
            return None
        relation, limit = made.op.split(".")[1], self.literal(made.operands[2])
        if relation in ("eq", "ne"):  # the first slot, or the last of them
            return (relation == "eq") == (limit == 0)
        return {"lt": True, "le": True, "ge": False, "gt": False}.get(relation)

    # ---------------------------------------------------------------------------------------------------- paths
    def _symbol(self, i):
        op = SAME_AS.get(i.op, i.op)
        found = Symbol(op, i.line, str(i))
        if op == "call":
            found.number = int(i.operands[0])
        elif op.startswith("cp.async.bulk.tensor") or op == "cp.async.shared.global":
            pass
        elif op.startswith("mbarrier.try_wait"):
            found.number, found.flips = 0, self.flips(i.operands[-1])
        elif op.startswith("mbarrier.init") or op.startswith("mbarrier.arrive.expect_tx"):
            found.number = self.literal(i.operands[-1])
        elif op.startswith("cp.async.bulk.") and len(i.operands) >= 3:
            found.number = self.literal(i.operands[2])
        elif "wait_group" in op or op == "bar.sync":
            found.number = self.literal(i.operands[0])
            found.threads = self.literal(i.operands[1]) if len(i.operands) > 1 else 0
        elif op == "bar.red.or.pred":
            found.number = self.literal(i.operands[1])
            found.threads = self.literal(i.operands[2]) if len(i.operands) > 3 else 0
        elif op == "bar.warp.sync":
            found.number = self.literal(i.operands[0]) % WORD
            if found.number != WORD - 1:
                raise Unreadable(f"{self.name}: a barrier of part of a warp: {found.text} (line {i.line})")
            found.number = 0
        else:
            found.number = 0
        in_brackets = [o[1:-1].strip() for o in i.operands if o.startswith("[")]
        if op.startswith("mbarrier.") or "::complete_tx" in op:
            found.address = self.forms(in_brackets[-1])
        self.symbols.append(found)
        return found

    def _draw(self):
        for place, i in enumerate(self.instructions):
            base = i.op.split(".")[0]
            if base == "bra":
                if i.operands[0] not in self.labels:
                    raise Unreadable(f"{self.name}: no label {i.operands[0]} (line {i.line})")
                out = [(None, self.labels[i.operands[0]])] + ([(None, place + 1)] if i.guard else [])
            elif base in ("ret", "exit", "trap"):
                if base != "trap":
                    self.exits.add(place)
                out = [(None, place + 1)] if i.guard else []
            elif base in ("brx", "call") and i.op != "call":
                raise Unreadable(f"{self.name}: cannot follow {i} (line {i.line})")
            elif i.op == "call" and not i.operands[0].isdigit():
                raise Unreadable(f"{self.name}: not everything was inlined: {i} (line {i.line})")
            elif i.op == "call" or SYNCHRONISES.match(i.op):
                out = [(self._symbol(i), place + 1)] + ([(None, place + 1)] if i.guard else [])
            else:
                out = [(None, place + 1)]
            self.edges.append(out)
        self.edges.append([])
        self.exits.add(len(self.instructions))

    def closure(self, places):
        """The places that can be reached without a synchronisation instruction."""
        reached, todo = set(places), list(places)
        while todo:
            for symbol, to in self.edges[todo.pop()]:
                if symbol is None and to not in reached:
                    reached.add(to)
                    todo.append(to)
        return reached


def either(ways, opaque):
    """Both ways to make a value, if they differ by a constant alone."""
    forms = [form for way in ways for form in way]
    return forms if len(forms) == 2 and forms[0][1] == forms[1][1] else opaque


def scaled(form, factor):
    constant, terms = form
    return (constant * factor % WORD, {r: k * factor % WORD for r, k in terms.items() if k * factor % WORD})


def added(a, b):
    terms = dict(a[1])
    for register, factor in b[1].items():
        terms[register] = (terms.get(register, 0) + factor) % WORD
    return ((a[0] + b[0]) % WORD, {r: k for r, k in terms.items() if k})


def combined(a, b):
    return [added(x, y) for x in a for y in b][:4]


def read_kernels(text, pattern):
    """The kernels whose name contains a match of `pattern`, by the match's first group."""
    lines = text.splitlines()
    kernels, k = {}, 0
    while k < len(lines):
        entry = re.match(r"\s*(\.visible|\.weak)?\s*\.entry\s+([\w$]+)", lines[k])
        if not entry:
            k += 1
            continue
        while lines[k].strip() != "{":
            k += 1
        first, depth = k + 1, 1
        while depth > 0:
            k += 1
            code = lines[k].split("//")[0]
            depth += code.count("{") - code.count("}")
        match = re.search(pattern, entry[2])
        if match:
            kernels[match[1]] = Kernel(match[0], lines[first:k], first + 1)
    return kernels
