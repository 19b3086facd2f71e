#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""children.py GEN9SIM: root threads that call for four children each, which take their data from rows of the parent's URB entry.

There are two entries for ten parents: the last child of each gives its parent's entry back, or the stream comes to a halt.
children.py --write STREAM leaves the capture.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from checks import expect
from stream import END, FENCED, INCREMENT, READ, WRITE, Batch, Stream, assemble, play, words

PARENTS, CHILDREN = 10, 4
CODE, CHILD_CODE, STATES, BATCH, DATA = 0, 0x1000, 0x10000, 0x80000, 0x100000
BLOCK, COUNT, HANDLE = 128, 0x20, 0x40  # of each parent: results, children that are done, the handle of its entry
SPAWN_CHILD, DEREFERENCE = 0x02000001, 0x02000002

# R1..R4: inline data, the children's rows; the second word is the address of the parent's block.
PARENT = f"""
(W) add (1|M0) r20.0<1>:ud r1.1<0;1,0>:ud 0x{HANDLE:x}:ud
(W) and (1|M0) r21.0<1>:ud r0.0<0;1,0>:ud 0xFFFF:ud
(W) send (1|M0) null r20:ud 0xC 0x{WRITE:x}{FENCED}
(W) mov (8|M0) r22.0<1>:ud 0x0:ud
(W) mov (1|M0) r22.0<1>:ud r21.0<0;1,0>:ud
(W) mov (1|M0) r22.2<1>:ud 0x10:ud
""" + "".join(f"(W) mov (1|M0) r22.4<1>:ud 0x{1 << 10 | n:x}:ud\n(W) send (8|M0) null r22:ud 0x7 0x{SPAWN_CHILD:x}\n"
              for n in range(CHILDREN)) + END
# R0: its row, {0, block, number, value}. The result is five times the value and the number.
CHILD = f"""
(W) shl (1|M0) r20.0<1>:ud r0.2<0;1,0>:ud 2:ud
(W) add (1|M0) r20.0<1>:ud r20.0<0;1,0>:ud r0.1<0;1,0>:ud
(W) mul (1|M0) r21.0<1>:ud r0.3<0;1,0>:ud 5:uw
(W) add (1|M0) r21.0<1>:ud r21.0<0;1,0>:ud r0.2<0;1,0>:ud
(W) send (1|M0) null r20:ud 0xC 0x{WRITE:x}{FENCED}
(W) add (1|M0) r20.0<1>:ud r0.1<0;1,0>:ud 0x{COUNT:x}:ud
(W) send (1|M0) r22:ud r20:ud 0xC 0x{INCREMENT:x}
(W) cmp (1|M0) (eq)f0.0 null:ud r22.0<0;1,0>:ud {CHILDREN - 1}:ud
(W) add (1|M0) r20.0<1>:ud r0.1<0;1,0>:ud 0x{HANDLE:x}:ud
(W) send (1|M0) r23:ud r20:ud 0xC 0x{READ:x}
(W) mov (8|M0) r24.0<1>:ud 0x0:ud
(W) mov (1|M0) r24.0<1>:ud r23.0<0;1,0>:ud
(W&~f0.0) jmpi (1|M0) ENDS
(W) send (8|M0) null r24:ud 0x7 0x{DEREFERENCE:x}
ENDS:
""" + END.replace("0x2000010", "0x2000012")


def build():
    stream, batch = Stream(), Batch()
    for offset, data in ((CODE, assemble(PARENT)), (CHILD_CODE, assemble(CHILD)), (DATA, bytes(PARENTS * BLOCK)),
                         (STATES, words(CODE, *[0] * 7, CHILD_CODE, *[0] * 7))):
        stream.put(Batch.BASE + offset, data)
    batch.begin()
    batch.vfe(entries=2, entry_rows=CHILDREN, curbe_rows=0)
    batch.descriptors(STATES, 64)
    for parent in range(PARENTS):
        block = DATA + BLOCK * parent
        rows = [[0, block, n, 100 * parent + n, 0, 0, 0, 0] for n in range(CHILDREN)]
        batch.object((0, 0), 0, [word for row in rows for word in row], scoreboard=False, children=True)
        stream.expect(Batch.BASE + block, words(*(5 * row[3] + row[2] for row in rows), 0, 0, 0, 0, CHILDREN))
    stream.put(Batch.BASE + BATCH, batch.end())
    return stream


play(build(), Batch.BASE + BATCH)
