# SPDX-License-Identifier: Apache-2.0
"""Packets of AUB captures, as Mesa's and Intel's public sources lay them out."""
import struct

REGISTER_POLL, REGISTER_WRITE, MEMORY_COMPARE, MEMORY_WRITE, COMMENT, VERSION = 2, 3, 4, 6, 8, 14
GGTT, PHYSICAL, GGTT_ENTRY = 0, 2, 4


def packet(kind, *dwords, data=b""):
    body = struct.pack(f"<{len(dwords)}I", *dwords) + data + bytes(-len(data) % 4)
    return struct.pack("<I", 7 << 29 | 0x2E << 23 | kind << 16 | len(body) // 4) + body


def register_write(offset, value):
    return packet(REGISTER_WRITE, offset, 2 << 16, 0xFFFFFFFF, 0, value)


def memory(kind, space, address, data):
    return packet(kind, address & 0xFFFFFFFF, address >> 32, space << 28, len(data), data=data)


def packets(stream):
    """Kind, offset and bytes of each."""
    at = 0
    while at < len(stream):
        header = int.from_bytes(stream[at:at + 4], "little")
        length = 4 * ((header & 0xFFFF) + 1)
        yield header >> 16 & 0x7F, at, stream[at:at + length]
        at += length
