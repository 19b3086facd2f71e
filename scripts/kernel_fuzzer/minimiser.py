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


def edits(kernel):
    """Every single change, as a function that makes it on a kernel of the same shape."""
    for place, function in enumerate([kernel.main, *kernel.functions]):
        find = lambda k, place=place: [k.main, *k.functions][place]
        for which, body in enumerate(statement_lists(function.body)):
            get = lambda k, which=which, find=find: list(statement_lists(find(k).body))[which]
            for at, statement in enumerate(body):
                others = body[:at] + body[at + 1:]
                if statement.declares is None or statement.bodies or not (
                        mentions(statement.declares, others) or (body is function.body and returned(function, statement.declares))):
                    yield lambda k, get=get, at=at: get(k).pop(at)
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
