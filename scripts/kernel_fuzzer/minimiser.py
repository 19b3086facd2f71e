# SPDX-License-Identifier: Apache-2.0
"""Makes a kernel smaller for as long as the devices still disagree on it."""
import copy
import re
import time

from .devices import GeneratorBug
from .expressions import simplest

BATCH = 16


def expressions_of(holder):
    """(list, index) of every expression below something that has parts, outermost first."""
    for index, part in enumerate(holder.parts):
        yield holder.parts, index
        yield from expressions_of(part)


def statement_lists(body):
    yield body
    for statement in body:
        for inner in statement.bodies:
            yield from statement_lists(inner)


def descendants(expression):
    for part in expression.parts:
        yield part
        yield from descendants(part)


def mentions(name, statements):
    return name and re.search(rf"\b{name}\b", "\n".join(line for s in statements for line in s.lines("")))


def returned(function, name):
    return function.result is not None and re.search(rf"\b{name}\b", function.result.text())


def with_dependents(body, chosen):
    """The chosen statements of a body and those that use what they declare."""
    chosen, grown = set(chosen), True
    while grown:
        names = [body[i].declares for i in chosen if body[i].declares]
        more = {i for i, statement in enumerate(body) if i not in chosen and any(mentions(name, [statement]) for name in names)}
        grown, chosen = bool(more), chosen | more
    return chosen


def removals(function, body):
    """Sets of statements that can go together: halves, quarters ... of the body, each with what depends on it."""
    seen, size = set(), max(1, len(body) // 2)
    while size:
        for begin in range(0, len(body), size):
            chosen = frozenset(with_dependents(body, range(begin, min(begin + size, len(body)))))
            result_needs = body is function.body and any(returned(function, body[i].declares) for i in chosen if body[i].declares)
            if chosen not in seen and not result_needs:
                seen.add(chosen)
                yield chosen
        size //= 2


def keep_others(body, chosen):
    body[:] = [statement for i, statement in enumerate(body) if i not in chosen]


def edits(kernel):
    """Every single change, as a function that makes it on a kernel of the same shape."""
    for place, function in enumerate([kernel.main, *kernel.functions]):
        find = lambda k, place=place: [k.main, *k.functions][place]
        for which, body in enumerate(statement_lists(function.body)):
            get = lambda k, which=which, find=find: list(statement_lists(find(k).body))[which]
            for chosen in removals(function, body):
                yield lambda k, get=get, chosen=chosen: keep_others(get(k), chosen)
            for at, statement in enumerate(body):
                for inner, contents in enumerate(statement.bodies):
                    text = "\n".join(line for s in contents for line in s.lines(""))
                    if not mentions(statement.declares, contents) and not re.search(r"\b(break|continue);", text):
                        yield lambda k, get=get, at=at, inner=inner: get(k).__setitem__(slice(at, at + 1), get(k)[at].bodies[inner])
                for slot, (parts, index) in enumerate(expressions_of(statement)):
                    reach = lambda k, get=get, at=at, slot=slot: list(expressions_of(get(k)[at]))[slot]
                    old = parts[index]
                    for choice, new in enumerate([simplest(old.type), *(d for d in descendants(old) if d.type == old.type)]):
                        if new.text() != old.text():
                            yield lambda k, reach=reach, choice=choice: replace(*reach(k), choice)


def replace(parts, index, choice):
    old = parts[index]
    parts[index] = [simplest(old.type), *(d for d in descendants(old) if d.type == old.type)][choice]


def variants(kernel):
    """All kernels one change away, smallest first."""
    found = []
    for edit in edits(kernel):
        changed = copy.deepcopy(kernel)
        edit(changed)
        if changed.main.body and changed.main.body[-1].lines("") == ["out[I] = acc;"] and changed.main.body[0].declares == "acc":
            found.append((len(changed.text("k0")), changed))
    found.sort(key=lambda pair: pair[0])
    return [changed for _, changed in found]


def differing(devices, kernels):
    """A change may leave something that does not compile: such kernels do not count."""
    try:
        return devices.differing(kernels)
    except GeneratorBug:
        if len(kernels) == 1:
            return []
        half = len(kernels) // 2
        return differing(devices, kernels[:half]) + [half + i for i in differing(devices, kernels[half:])]


def minimise(kernel, devices, seconds):
    end = time.monotonic() + seconds
    smaller = True
    while smaller and time.monotonic() < end:
        smaller = None
        candidates = variants(kernel)
        for begin in range(0, len(candidates), BATCH):
            batch = candidates[begin:begin + BATCH]
            wrong = differing(devices, batch)
            if wrong:
                smaller = kernel = batch[wrong[0]]
                break
            if time.monotonic() > end:
                break
    return kernel
