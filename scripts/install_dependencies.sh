#!/usr/bin/env bash
# Installs the Debian packages that Carom needs and that are missing: as root or by
# sudo; otherwise prints the line to run and stops.
#   scripts/install_dependencies.sh [package…]     more packages (the peers of `make bench`)
set -euo pipefail

packages=(g++ cmake ninja-build make git pkg-config libeigen3-dev libsundials-dev
  libsuitesparse-dev libyaml-cpp-dev libcli11-dev libfmt-dev libhdf5-dev libassimp-dev
  libqhull-dev libmuparser-dev libssl-dev pybind11-dev python3-dev python3-numpy libgtest-dev
  libbenchmark-dev zlib1g-dev librsvg2-dev libcpp-httplib-dev chromium
  fonts-dejavu-core libopenmpi-dev openmpi-bin iproute2 python3-scipy "$@")
# Node may also come from elsewhere than Debian, with its own npm.
command -v npm > /dev/null || packages+=(nodejs npm)

missing=()
for package in "${packages[@]}"; do
  state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || echo absent)
  [ "$state" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

# Nothing may wait for an answer that nobody sees asked: no questions of packages or of
# needrestart, no password in the middle, and a lock of another apt-get is waited for in words.
# sudo drops the environment, so it is set behind it.
quiet=(env DEBIAN_FRONTEND=noninteractive NEEDRESTART_MODE=a APT_LISTCHANGES_FRONTEND=none)
options=(-q -o DPkg::Lock::Timeout=300 -o Dpkg::Options::=--force-confdef
  -o Dpkg::Options::=--force-confold -o Dpkg::Use-Pty=0)
install=(apt-get install -y --no-install-recommends "${missing[@]}")
if ! command -v apt-get > /dev/null; then
  echo "These packages are missing, and this is not a Debian system: ${missing[*]}" >&2
  exit 1
elif [ "$(id -u)" -eq 0 ]; then
  run=()
elif command -v sudo > /dev/null && sudo -n true 2> /dev/null; then
  run=(sudo -n)
else
  echo "These packages are missing. As root, run:" >&2
  echo "  apt-get update && ${install[*]}" >&2
  exit 1
fi
echo "Installing ${#missing[@]} packages, which takes some minutes: ${missing[*]}"
"${run[@]}" "${quiet[@]}" apt-get update "${options[@]}" < /dev/null
"${run[@]}" "${quiet[@]}" "${install[@]}" "${options[@]}" < /dev/null
