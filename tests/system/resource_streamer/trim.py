#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""trim.py DUMP OUT: the part of a dumped submission that its binding tables and push constants need, as text.

DUMP.bin holds the buffers of a submission as they were before it, objects of {u64 address, u64 size, parts of {u64 offset, u64 length, bytes}, ended by
a part of length 0}; DUMP.txt its commands, one 'address: NAME [dwords] ...' a line. OUT gets the batch's address and length, then lines of 64 bytes:
those of the batch, of each binding table, of the surface states it names, and of each push constant buffer."""
import re, struct, sys

MASK = (1 << 48) - 1
STAGES = {0x26: 'VS', 0x27: 'HS', 0x28: 'DS', 0x29: 'GS', 0x2A: 'PS'}
CONSTANTS = {0x15: 'VS', 0x16: 'GS', 0x17: 'PS', 0x19: 'HS', 0x1A: 'DS'}


def load(path):
    data, at, objects = open(path, 'rb').read(), 0, []
    while at < len(data):
        base, _ = struct.unpack_from('<QQ', data, at)
        at += 16
        while True:
            offset, size = struct.unpack_from('<QQ', data, at)
            at += 16
            if size == 0:
                break
            objects.append(((base & MASK) + offset, data[at:at + size]))
            at += size
    return objects


def main():
    prefix, out = sys.argv[1:3]
    objects = load(prefix + '.bin')

    def read(address, size):
        for base, data in objects:
            if base <= address < base + len(data):
                return (data[address - base:address - base + size] + bytes(size))[:size]
        return bytes(size)

    commands, wanted, base = [], set(), 0

    def want(address, size):
        wanted.update(range(address & ~63, address + size, 64))

    for line in open(prefix + '.txt'):
        found = re.match(r'([0-9a-f]{12}): +(\S+) \[(\d+)\]', line)
        if found:
            commands.append((int(found[1], 16), int(found[3])))
    first, last = commands[0][0], commands[-1][0] + 4 * commands[-1][1]
    want(first, last - first)
    for address, count in commands:
        words = struct.unpack(f'<{count}I', read(address, 4 * count))
        opcode = words[0] >> 16
        if opcode == 0x6101 and words[4] & 1:
            base = ((words[5] << 32 | words[4]) & ~0xFFF) & MASK
        elif opcode >> 8 == 0x78 and opcode & 0xFF in STAGES:
            table = base + (words[1] & 0xFFE0)
            want(table, 32)
            for entry in struct.unpack('<8I', read(table, 32)):
                if entry:
                    want(base + (entry & ~63), 64)
        elif opcode >> 8 == 0x78 and opcode & 0xFF in CONSTANTS:
            for n in range(4):
                length = words[1 + n // 2] >> 16 * (n % 2) & 0xFFFF
                if length:
                    want((words[4 + 2 * n] << 32 | words[3 + 2 * n]) & ~31 & MASK, 32 * length)
    with open(out, 'w') as file:
        file.write(f'batch {first:x} {last - first}\n')
        for address in sorted(wanted):
            words = struct.unpack('<16I', read(address, 64))
            if any(words):
                file.write(f'{address:x}: ' + ' '.join(f'{word:x}' for word in words) + '\n')


main()
