# SPDX-License-Identifier: Apache-2.0
"""The kernel of a seed: always the same. Of five kinds: what PoCL can be asked about,
memory accessed in many widths, half precision, sub-groups, reads of images."""
from random import Random

from .build import Build
from .expressions import UINT
from .images import PARAMETERS
from .memory import MemoryAccess
from .sharing import Sharing
from .statements import Statements, helper
from .sub_groups import SubGroups
from .tree import Block, Function, Kernel, Line, Type

KINDS = ("host", "memory", "half", "sub-groups", "images")
# Kernels that show a fault of Intel's compiler (docs/deviations.md, D-13) which no rule of the generator keeps out:
# kind, seed, build options.
KNOWN = {("sub-groups", 75, ""): "a condition that guards a continue is missing from the compiled code",
         ("memory", 801997438, ""): "a product of two uchars is taken for zero by its 16 bits, not by the 8 that it is cut to",
         ("half", 797946256, ""): "x + 1 < 1 is made x < 0, which a small negative x is and the sum is not",
         ("host", 207, "-cl-opt-disable"): "private memory of a thread is no multiple of 16 bytes, but stored to as if it were"}
IDENTITIES = ("acc = acc * 31u + get_sub_group_size() * 3u + get_sub_group_local_id() * 5u + get_sub_group_id() * 7u"
              " + get_num_sub_groups() * 11u + get_max_sub_group_size();")


class Body(Statements, Sharing, MemoryAccess, SubGroups):
    """The statements of a kernel itself."""


def kernel(seed, kind="host", build=Build()):
    random = Random(seed if kind == "host" else f"{kind} {seed}")
    halves = kind == "half" or (kind == "sub-groups" and random.random() < 0.5)
    halves = halves and not build.integers_only
    size = random.choice((8, 16, 16, 32)) if kind == "sub-groups" else None
    if size == 32 and build.unoptimised:  # a kernel that calls a function is compiled for 16 channels, 32 demanded or not
        size = 16
    functions, known = [], []
    for i in range(random.choice((0, 0, 1, 2))):
        function, (name, result, arguments) = helper(random, halves, f"NAME_f{i}", known, build)
        functions.append(function)
        known.append((name, result, arguments))
    made = Body(random, halves, known, build=build)
    made.expressions.images = kind == "images"
    body = [Line("uint acc = in[I];", "acc = IN_uint[I]\nif False:\n    yield", declares="acc")]
    made.expressions.variables = [("acc", UINT)]
    if size:
        body.append(Line(IDENTITIES, f"acc = (acc * 31 + {size} * 3 + L % {size} * 5 + L // {size} * 7 + {64 // size * 11} + {size}) & 0xFFFFFFFF"))
    body += [made.declare() for _ in range(random.randint(1, 4))]
    if random.random() < 0.3:
        body += made.private_array()
    for _ in range(random.randint(1, 4)):
        if random.random() < 0.2:
            body += made.local_exchange()
        if random.random() < 0.15:
            body += made.atomics()
        for _ in range(random.randint(1, 3) if kind == "memory" else 0):
            body += made.memory_statement()
        for _ in range(random.randint(1, 3) if size else 0):
            body += made.sub_group_statement(size)
        for _ in range(random.randint(1, 3) if kind == "images" else 0):
            body.append(made.into_acc(made.expressions.image_read(Type(random.choice(("uint", "float")), 4), 2)))
        body.append(made.statement(random.randint(1, 3), False))
    if random.random() < 0.2:  # after the last barrier
        leave = [Line("out[I] = fold_uint(@0);", "out[I] = @0", made.value(UINT)), Line("return;", "return")]
        body += [Block(["if (@0) {", "}"], ["if @0:"], [made.condition()], [leave]), made.statement(2, False)]
    for name, t in made.expressions.variables[1:]:
        body.append(made.marked(name, t))
    body.append(Line("out[I] = acc;", "out[I] = acc"))
    attribute = f"__attribute__((intel_reqd_sub_group_size({size})))\n" if size else ""
    images = f", {PARAMETERS}" if kind == "images" else ""
    head = f"{attribute}kernel void NAME(global const uint *in, global uint *out{images})"
    return Kernel(seed, kind, functions, Function(head, "def NAME(I, L, G, out, shared):", body), size)
