# SPDX-License-Identifier: Apache-2.0
"""serve.py GEN9SIM PROGRAM PROGRAM: programs started elsewhere are served, in turn and at the same time; a peer
that sends rubbish disturbs nobody."""
import os
import re
import socket
import subprocess
import sys

from checks import expect, finish, vendor

gen9sim, first, second = sys.argv[1:]
server = subprocess.Popen([gen9sim, "serve", "--port", "0", "--timing", "functional"], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
line = server.stdout.readline()
match = re.search(r"(\d{2,5})\D*$", line)
expect(match, f"the server does not say its port: {line!r}")
port = match[1] if match else "0"
environment = {**os.environ, "OCL_ICD_VENDORS": vendor("intel"), "NEOReadDebugKeys": "1", "SetCommandStreamReceiver": "2",
               "ProductFamilyOverride": "skl", "TbxPort": port}


def start(program):
    return subprocess.Popen([program], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def check(program, what):
    output = program.communicate(timeout=120)[0]
    expect(program.returncode == 0 and "PASS" in output, f"{what}: status {program.returncode}: {output[-800:]}")


check(start(first), "first program")
check(start(second), "second program, after the first")
for rubbish in (b"GET / HTTP/1.0\r\n\r\n", b"\xff" * 5000, b"\x04\x00\x00\x00" * 3, b""):
    with socket.create_connection(("127.0.0.1", int(port))) as peer:
        peer.sendall(rubbish)
together = [start(first), start(second), start(first)]
for number, program in enumerate(together):
    check(program, f"program {number} of three at once")
server.terminate()
server.communicate(timeout=30)
expect(server.returncode is not None, "the server does not end")
finish()
