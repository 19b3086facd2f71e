# SPDX-License-Identifier: Apache-2.0
"""explore_slurm.py GEN9SIM SOURCE: scripts/explore --profile slurm on a cluster of one node, made here on loopback.

Starts munged, slurmctld and slurmd with a folder of their own; root only, as those need it."""
import json
import os
import pathlib
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time

from checks import expect, finish, run

gen9sim, source = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
sys.path.insert(0, str(source / "scripts"))
import gen9explore  # noqa: E402

if os.getuid() != 0:
    sys.exit("explore_slurm.py must be run as root: slurmd needs it")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(what, *command, seconds=60):
    for _ in range(seconds * 4):
        done = run(*command, environment=cluster)
        if done.returncode == 0 and "idle" in done.stdout:
            return
        time.sleep(0.25)
    expect(False, f"{what}: {done.stdout}{done.stderr}")


folder = tempfile.TemporaryDirectory()
base = pathlib.Path(folder.name)
base.chmod(0o755)
for name in ("state", "spool", "munge"):
    (base / name).mkdir(mode=0o755)
(base / "munge/key").write_bytes(secrets.token_bytes(1024))
(base / "munge/key").chmod(0o400)
host = socket.gethostname().split(".")[0]
munge = base / "munge/socket"
(base / "slurm.conf").write_text(f"""ClusterName=loopback
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={free_port()}
SlurmdPort={free_port()}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={munge}
CredType=cred/munge
StateSaveLocation={base}/state
SlurmdSpoolDir={base}/spool
SlurmctldPidFile={base}/slurmctld.pid
SlurmdPidFile={base}/slurmd.pid
SlurmctldLogFile={base}/slurmctld.log
SlurmdLogFile={base}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_min_interval=100000,sched_interval=1
ReturnToService=2
NodeName={host} NodeAddr=127.0.0.1 CPUs={os.cpu_count()} State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
""")
cluster = {"SLURM_CONF": str(base / "slurm.conf")}
environment = {**os.environ, **cluster}
daemons = []
# The daemons end with the test, however that ends.
signal.signal(signal.SIGTERM, lambda *_: sys.exit("terminated"))


def daemon(*command):
    log = open(base / f"{pathlib.Path(command[0]).name}.out", "wb")
    daemons.append(subprocess.Popen([str(word) for word in command], stdout=log, stderr=log, env=environment, start_new_session=True))


try:
    daemon("/usr/sbin/munged", "--foreground", "--force", f"--socket={munge}", f"--key-file={base}/munge/key", f"--pid-file={base}/munge/pid",
           f"--log-file={base}/munge/log", f"--seed-file={base}/munge/seed")
    for _ in range(100):
        if munge.exists():
            break
        time.sleep(0.1)
    daemon("/usr/sbin/slurmctld", "-D")
    daemon("/usr/sbin/slurmd", "-D", "-N", host)
    wait_for("the cluster does not come up", "sinfo", "--noheader", "--format=%T")
    spec = base / "sweep.yaml"
    spec.write_text(f"""programs:
  sum: {{capture: {source}/traces/prefix_sum/stream.aub.zst}}
parameters:
  eu.threads: [1, 3, 7]
  gpu.l3_banks: [1, 4]
""")
    done = run(sys.executable, source / "scripts/explore", spec, "--out", base / "sweep", "--gen9sim", gen9sim, "--profile", "slurm",
               environment=cluster, timeout=840)
    logs = "".join(path.read_text(errors="replace")[-2000:] for path in (base / "sweep/snakemake.log", base / "slurmctld.log") if path.exists())
    expect(done.returncode == 0, f"status {done.returncode}: {done.stdout}{done.stderr}{logs}")
    jobs = list((base / "sweep").glob("slurm-*.log"))
    expect(len(jobs) == 6, f"{len(jobs)} jobs of Slurm instead of 6")
    if done.returncode == 0:
        wide = gen9explore.load(base / "sweep").wide()
        expect(len(wide) == 6, f"results:\n{wide[['eu.threads', 'gpu.l3_banks', 'cycles']]}")
        for row in wide.iloc[[0, 5]].itertuples():
            words = row.command.split()
            run(*words[:-1], "--stats", base / "again.json", words[-1])
            cycles = json.loads((base / "again.json").read_text())["totals"]["cycles"]
            expect(row.cycles == cycles, f"{row.command}: {cycles} cycles, {row.cycles} in the table")
finally:
    for process in reversed(daemons):
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
finish()
