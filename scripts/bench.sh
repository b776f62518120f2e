#!/bin/sh
# Installs the peers, builds and runs the benchmarks beside them, writes
# benchmarks/results/<machine>/*.csv and the generated part of docs/benchmarks.md.
# Where packages cannot be installed, the peers that are there already are measured.
#   SCENES="s1 s5" scripts/bench.sh     only these scenes; the other results stay
set -eu
cd "$(dirname "$0")/.."

peers="libmujoco-dev libsimbody-dev libbullet-dev libode-dev libdart-dev python3-siconos libfcl-dev libccd-dev"
# shellcheck disable=SC2086
scripts/install_dependencies.sh $peers libdart-collision-bullet-dev \
  libdart-external-ikfast-dev valgrind ||
  echo "some peers are missing: their part is skipped" >&2

cpu=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
machine=$(printf '%s' "$cpu" | sed -E 's/\((R|TM)\)//g; s/ (CPU|Processor).*//' |
  tr '[:upper:]' '[:lower:]' | tr -cs 'a-z0-9' '-' | sed 's/^-//; s/-$//')-$(nproc)core
out="benchmarks/results/$machine"
bin=build-bench/benchmarks
mkdir -p "$out"

cmake --preset bench >/dev/null
ninja -C build-bench carom bench_programs

{
  echo "field,value"
  echo "cpu,$cpu"
  echo "cores,$(nproc)"
  echo "load at the start,$(cut -d ' ' -f 1 /proc/loadavg)"
  echo "compiler,$(c++ --version | head -n 1 | tr ',' ' ')"
  for package in $peers; do
    echo "$package,$(dpkg-query -W -f='${Version}' "$package" 2>/dev/null || echo missing)"
  done
} >"$out/machine.csv"

# shellcheck disable=SC2086
python3 benchmarks/run_scenes.py build-bench "$out" ${SCENES:-}
if [ -n "${SCENES:-}" ]; then
  python3 scripts/bench_report.py docs/benchmarks.md
  exit 0
fi

python3 benchmarks/tolerances.py build-bench/carom "$out"
python3 benchmarks/stalls.py build-bench/carom "$out"
"$bin/bench_forward_dynamics" >"$out/forward_dynamics.csv"
"$bin/bench_scaling" >"$out/scaling.csv"
"$bin/bench_evaluation" >"$out/evaluation.csv"
"$bin/bench_idealised" examples >"$out/idealised.csv"
"$bin/proximity/bench_proximity" >"$out/distance.csv"
"$bin/proximity/bench_broad_phase" >"$out/broad_phase.csv"
[ ! -x "$bin/proximity/bench_mesh_queries" ] ||
  "$bin/proximity/bench_mesh_queries" >"$out/mesh_queries.csv"
"$bin/proximity/intersections/bench_intersections" >"$out/intersections.csv"
"$bin/proximity/intersections/bench_contact_cost" >"$out/contact_cost.csv"

# Instructions per evaluation: the difference of two run lengths, so that start-up drops out.
count() { valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1 >/dev/null |
  sed -n 's/.*Collected : //p'; }
if command -v valgrind >/dev/null; then
  echo "model,engine,timed,instructions" >"$out/instructions.csv"
  for model in arm7 humanoid30 chain100; do
    index=0
    while row=$("$bin/bench_forward_dynamics" $model $index 1 2>/dev/null); do
      short=$(count "$bin/bench_forward_dynamics" $model $index 10)
      long=$(count "$bin/bench_forward_dynamics" $model $index 60)
      echo "$row,$(((long - short) / 50))" >>"$out/instructions.csv"
      index=$((index + 1))
    done
  done
  for system in free_bodies pendulums; do
    short=$(count "$bin/bench_scaling" $system 1 200)
    long=$(count "$bin/bench_scaling" $system 1 1200)
    echo "one of $system,Carom,kinematics + position rates + gravity + forward_dynamics,$(((long - short) / 1000))" \
      >>"$out/instructions.csv"
  done
fi

! command -v valgrind >/dev/null || python3 benchmarks/instructions.py build-bench/carom "$out"
for scene in free_body pendulum; do
  command -v valgrind >/dev/null || break
  short=$(count "$bin/bench_evaluation" $scene 100)
  long=$(count "$bin/bench_evaluation" $scene 1100)
  echo "$scene as a scene,Carom,calc_rates,$(((long - short) / 1000))" >>"$out/instructions.csv"
done

python3 scripts/bench_report.py docs/benchmarks.md
