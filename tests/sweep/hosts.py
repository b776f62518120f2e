"""Several hosts on one machine: network namespaces on a bridge, each with a host name of its own.

    with Hosts(3) as hosts:
        hosts.mpirun(["-np", "4", …])

Hosts need root and the kernel's leave to make namespaces; NotAllowed says what was refused.
"""

import os
import pathlib
import shutil
import signal
import subprocess
import tempfile

ENVIRONMENT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}

# What mpirun calls in place of ssh: enter the host's namespaces and run the command there.
AGENT = """#!/bin/sh
# agent HOST COMMAND…
host=$1; shift
exec ip netns exec "$host" unshare --uts sh -c 'hostname "$0"; exec sh -c "$*"' "$host" "$@"
"""


class NotAllowed(Exception):
    pass


def call(*words, check=True):
    result = subprocess.run(words, capture_output=True, text=True)
    if check and result.returncode != 0:
        raise NotAllowed(f"{' '.join(words)}: {result.stderr.strip()}")
    return result


class Hosts:
    def __init__(self, count):
        mark = f"{os.getpid() % 10000:04d}"
        self.bridge = f"cb{mark}"
        self.names = [f"c{mark}{chr(ord('a') + i)}" for i in range(count)]
        self.subnet = f"10.{100 + os.getpid() % 100}.{os.getpid() // 100 % 250}"
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="carom-hosts-"))

    def __enter__(self):
        try:
            self.make()
        except NotAllowed:
            self.remove()
            raise
        return self

    def __exit__(self, *_):
        self.remove()

    def make(self):
        call("ip", "link", "add", self.bridge, "type", "bridge")
        call("ip", "link", "set", self.bridge, "up")
        for i, name in enumerate(self.names):
            call("ip", "netns", "add", name)
            call("ip", "link", "add", f"v{name}", "type", "veth", "peer", "name", "eth0", "netns", name)
            call("ip", "link", "set", f"v{name}", "master", self.bridge, "up")
            inside = ("ip", "netns", "exec", name, "ip")
            call(*inside, "addr", "add", f"{self.subnet}.{i + 1}/24", "dev", "eth0")
            call(*inside, "link", "set", "eth0", "up")
            call(*inside, "link", "set", "lo", "up")
        lines = [f"{self.subnet}.{i + 1} {name}\n" for i, name in enumerate(self.names)]
        for name in self.names:  # ip netns exec puts these over /etc
            place = pathlib.Path("/etc/netns") / name
            place.mkdir(parents=True, exist_ok=True)
            (place / "hosts").write_text("127.0.0.1 localhost\n" + "".join(lines))
        self.agent = self.folder / "agent"
        self.agent.write_text(AGENT)
        self.agent.chmod(0o755)
        call("ip", "netns", "exec", self.names[0], "true")

    def remove(self):
        for name in self.names:
            for pid in call("ip", "netns", "pids", name, check=False).stdout.split():
                try:
                    os.kill(int(pid), signal.SIGKILL)
                except ProcessLookupError:
                    pass
            call("ip", "netns", "del", name, check=False)
            call("ip", "link", "del", f"v{name}", check=False)
            shutil.rmtree(pathlib.Path("/etc/netns") / name, ignore_errors=True)
        call("ip", "link", "del", self.bridge, check=False)
        shutil.rmtree(self.folder, ignore_errors=True)

    def link(self, index, state):
        call("ip", "link", "set", f"v{self.names[index]}", state)

    def processes(self, word):
        """Numbers of the processes on all hosts whose command line has this word."""
        found = []
        for name in self.names:
            for pid in call("ip", "netns", "pids", name, check=False).stdout.split():
                try:
                    line = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
                except OSError:
                    continue
                if word.encode() in line:
                    found.append(int(pid))
        return found

    def mpirun(self, ranks, command, recovery=True, **options):
        """mpirun on the first host, ranks spread over all of them."""
        share = -(-ranks // len(self.names))
        hosts = ",".join(f"{name}:{share}" for name in self.names)
        words = ["ip", "netns", "exec", self.names[0], "unshare", "--uts", "sh", "-c",
                 'hostname "$0"; exec "$@"', self.names[0],
                 "mpirun", "-np", str(ranks), "--host", hosts, "--oversubscribe", "--bind-to", "none",
                 "--map-by", "node", "--mca", "plm_rsh_agent", str(self.agent),
                 "--mca", "btl", "tcp,self", "--mca", "btl_tcp_if_include", "eth0",
                 "--mca", "oob_tcp_if_include", "eth0", "--mca", "oob_tcp_keepalive_time", "2",
                 "--mca", "oob_tcp_keepalive_intvl", "1", "--mca", "oob_tcp_keepalive_probes", "2"]
        if recovery:
            words.append("--enable-recovery")
        return subprocess.Popen(words + [str(word) for word in command], text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                env={**os.environ, **ENVIRONMENT}, start_new_session=True, **options)
