"""scripts/install_dependencies.sh asks nothing and never waits in silence.

sudo, apt-get and dpkg-query are stand-ins that write down how they were called; the one of sudo
drops the environment, as sudo does.
"""

import os
import stat
import subprocess
import unittest

from harness import SOURCE, Case

SUDO = """#!/bin/sh
echo "sudo $*" >> "$LOG"
[ "$1" = -n ] || exit 9
shift
exec env -i PATH="$PATH" LOG="$LOG" "$@"
"""
APT = """#!/bin/sh
echo "apt $DEBIAN_FRONTEND $NEEDRESTART_MODE $*" >> "$LOG"
if [ -t 0 ] || read -r word; then echo "stdin is open" >> "$LOG"; fi
echo "Unpacking"
"""


class InstallScript(Case):
    def tool(self, name, text):
        path = self.folder / name
        path.write_text(text)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    def install(self, user):
        self.tool("sudo", SUDO)
        self.tool("apt-get", APT)
        self.tool("dpkg-query", "#!/bin/sh\nexit 1\n")
        self.tool("id", f"#!/bin/sh\necho {user}\n")
        log = self.folder / "log"
        log.write_text("")
        environment = {"PATH": f"{self.folder}:{os.environ['PATH']}", "LOG": str(log)}
        result = subprocess.run(["bash", str(SOURCE / "scripts/install_dependencies.sh")], env=environment, text=True,
                                input="an answer\n", capture_output=True, timeout=60)
        self.assertEqual(0, result.returncode, result.stderr)
        return result, log.read_text()

    def check(self, result, log):
        calls = [line for line in log.splitlines() if line.startswith("apt ")]
        self.assertEqual(2, len(calls), log)
        for call in calls:
            self.assertTrue(call.startswith("apt noninteractive a "), call)
            self.assertIn("DPkg::Lock::Timeout", call)
        self.assertIn("-y", calls[1].split())
        self.assertIn("--force-confold", calls[1])
        self.assertNotIn("stdin is open", log)
        self.assertIn("Installing", result.stdout)
        self.assertIn("Unpacking", result.stdout)

    def test_through_sudo(self):
        result, log = self.install(1000)
        self.check(result, log)
        self.assertTrue(all(line.startswith("sudo -n ") for line in log.splitlines() if line.startswith("sudo")))

    def test_as_root(self):
        result, log = self.install(0)
        self.check(result, log)
        self.assertNotIn("sudo", log)


if __name__ == "__main__":
    unittest.main(verbosity=2)
