"""Executes a kernel's PTX for one thread that never has to wait: which synchronisation instructions does it meet?"""
import re

MOST_STEPS = 200_000
SPECIAL = {"%tid.y": 0, "%tid.z": 0, "%ntid.y": 1, "%ntid.z": 1, "%ctaid.x": 0, "%ctaid.y": 0, "%ctaid.z": 0,
           "%nctaid.x": 1, "%nctaid.y": 1, "%nctaid.z": 1, "WARP_SZ": 32}


class Unexecutable(Exception):
    """What this interpreter does not know: nothing can be said of the kernel."""


class Met:
    """A synchronisation instruction that the thread executed; where its signal lies and the parity it waits for."""

    def __init__(self, symbol, offset=None, parity=None):
        self.symbol, self.offset, self.parity = symbol, offset, parity


def width(op):
    match = re.search(r"\.[subf](8|16|32|64)(?!.*\.[subf](8|16|32|64))", op)
    return int(match[1]) if match else 32


def signed(value, bits):
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


RELATIONS = {"eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b,
             "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b, "lo": lambda a, b: a < b, "ls": lambda a, b: a <= b,
             "hi": lambda a, b: a > b, "hs": lambda a, b: a >= b}
ARITHMETIC = {"add": lambda a, b: a + b, "sub": lambda a, b: a - b, "and": lambda a, b: a & b, "or": lambda a, b: a | b,
              "xor": lambda a, b: a ^ b, "min": min, "max": max, "shl": lambda a, b: a << min(b, 64),
              "shr": lambda a, b: a >> min(b, 64)}


class Thread:
    """Shared memory is `memory`, by address; what nobody has written reads as -1, as a stop's words are initialised."""

    def __init__(self, kernel, thread, threads, arguments, memory):
        self.kernel, self.arguments, self.memory = kernel, arguments, memory
        self.registers = {**SPECIAL, "%tid.x": thread, "%ntid.x": threads, "%laneid": thread % 32}

    def run(self):
        met, place = [], 0
        for _ in range(MOST_STEPS):
            if place >= len(self.kernel.instructions):
                return met
            i = self.kernel.instructions[place]
            place += 1
            if i.guard and self.value(i.guard.strip().lstrip("@!")) != (0 if "!" in i.guard else 1):
                continue
            base = i.op.split(".")[0]
            symbol = next((s for s, _ in self.kernel.edges[place - 1] if s is not None), None)
            if symbol is not None:
                met.append(self.meet(i, symbol))
            elif base == "bra":
                place = self.kernel.labels[i.operands[0]]
            elif base in ("ret", "exit"):
                return met
            elif base == "trap":
                raise Unexecutable(f"{self.kernel.name}: a trap in line {i.line}")
            else:
                self.compute(i, base)
        raise Unexecutable(f"{self.kernel.name}: runs on after {MOST_STEPS} instructions")

    # ---------------------------------------------------------------------------------------------------- operands
    def value(self, operand):
        match = re.fullmatch(r"(-?)(0[xX][0-9a-fA-F]+|\d+)U?", operand)
        if match:
            return int(match[1] + match[2], 0)
        if operand in self.registers:
            return self.registers[operand]
        if re.fullmatch(r"[A-Za-z_$][\w$]*", operand) and not operand.startswith("%"):
            return 0  # a name: of the kernel's shared memory, which begins at 0
        raise Unexecutable(f"{self.kernel.name}: what is in {operand}?")

    def address(self, bracketed):
        inside = bracketed.strip("[] ")
        match = re.fullmatch(r"(.+?)\+(-?\d+)", inside)
        return self.value(match[1]) + int(match[2]) if match else self.value(inside)

    def put(self, register, value, bits):
        self.registers[register] = value & ((1 << bits) - 1)

    # ---------------------------------------------------------------------------------------------------- instructions
    def meet(self, i, symbol):
        in_brackets = [o for o in i.operands if o.startswith("[")]
        if i.op.startswith("mbarrier.try_wait"):
            self.put(i.operands[0], 1, 1)
            return Met(symbol, self.address(in_brackets[0]), self.value(i.operands[-1]) & 1)
        if ".red." in i.op:  # nobody else says yes
            self.put(i.operands[0], self.value(i.operands[-1]), 1)
        if i.op.startswith("mbarrier.") or "::complete_tx" in i.op:
            return Met(symbol, self.address(in_brackets[-1]))
        return Met(symbol)

    def compute(self, i, base):
        o, bits = i.operands, width(i.op)
        is_signed = re.search(r"\.s(8|16|32|64)", i.op) is not None

        def read(operand, wide=None):
            value = self.value(operand)
            return signed(value, wide or bits) if is_signed else value & ((1 << (wide or bits)) - 1)
        if base == "mov" and o[0].startswith("{"):
            parts = o[0].strip("{} ").split(",")
            for k, name in enumerate(parts):
                self.put(name.strip(), self.value(o[1]) >> k * bits // len(parts), bits // len(parts))
        elif base == "mov" and o[1].startswith("{"):
            parts = o[1].strip("{} ").split(",")
            self.put(o[0], sum(self.value(p.strip()) << k * bits // len(parts) for k, p in enumerate(parts)), bits)
        elif base in ("mov", "cvta") and ".pred" in i.op:
            self.put(o[0], self.value(o[1]), 1)
        elif base in ("mov", "cvta"):
            self.put(o[0], self.value(o[1]), bits)
        elif base == "cvt":
            to, source = re.findall(r"\.([sub]\d+)", i.op)[-2:]
            value = self.value(o[1]) & ((1 << int(source[1:])) - 1)
            self.put(o[0], signed(value, int(source[1:])) if source[0] == "s" else value, int(to[1:]))
        elif ".pred" in i.op and base in ("and", "or", "xor", "not"):
            self.put(o[0], 1 - self.value(o[1]) if base == "not" else ARITHMETIC[base](*map(self.value, o[1:])), 1)
        elif base == "shr":
            self.put(o[0], read(o[1]) >> min(self.value(o[2]), 64), bits)
        elif base in ARITHMETIC:
            self.put(o[0], ARITHMETIC[base](read(o[1]), read(o[2])), bits)
        elif base in ("mul", "mad"):
            product = read(o[1]) * read(o[2])
            if ".hi" in i.op:
                product >>= bits
            out = 2 * bits if ".wide" in i.op else bits
            self.put(o[0], product + (self.value(o[3]) if base == "mad" else 0), out)
        elif base in ("div", "rem"):
            a, b = read(o[1]), read(o[2])
            quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
            self.put(o[0], quotient if base == "div" else a - b * quotient, bits)
        elif base == "bfi":
            mask = ((1 << self.value(o[4])) - 1) << self.value(o[3])
            self.put(o[0], (self.value(o[2]) & ~mask) | (self.value(o[1]) << self.value(o[3]) & mask), bits)
        elif base in ("not", "neg"):
            self.put(o[0], ~self.value(o[1]) if base == "not" else -self.value(o[1]), bits)
        elif base == "selp":
            self.put(o[0], self.value(o[1] if self.value(o[3]) else o[2]), bits)
        elif base == "setp":
            relation, *how = i.op.split(".")[1:]
            result = int(RELATIONS[relation](read(o[1]), read(o[2])))
            if len(o) > 3:
                other = self.value(o[3].lstrip("!")) ^ (1 if o[3].startswith("!") else 0)
                result = ARITHMETIC[how[0]](result, other)
            self.put(o[0].split("|")[0], result, 1)
        elif base == "shfl":  # from the first lane of the warp, which is this one
            self.put(o[0].split("|")[0], self.value(o[1]), 32)
            if "|" in o[0]:
                self.put(o[0].split("|")[1], 1, 1)
        elif i.op.startswith("ld.param"):
            self.load_parameter(i, bits)
        elif base == "ld":
            names = o[0].strip("{} ").split(",")
            for k, name in enumerate(names):
                at = self.address(o[1]) + k * bits // 8
                self.put(name.strip(), self.memory.get(at, -1), bits)
        elif base == "st":
            for k, name in enumerate(o[1].strip("{} ").split(",")):
                self.memory[self.address(o[0]) + k * bits // 8] = self.value(name.strip())
        elif base not in ("pragma", "nanosleep"):
            raise Unexecutable(f"{self.kernel.name}: what does {i} do (line {i.line})?")

    def load_parameter(self, i, bits):
        match = re.fullmatch(r"\[[\w$]+_param_0(?:\+(\d+))?\]", i.operands[1])
        names = i.operands[0].strip("{} ").split(",")
        for k, name in enumerate(names):
            offset = int(match[1] or 0) + k * bits // 8 if match else None
            self.put(name.strip(), self.arguments.get(offset, 0), bits)
