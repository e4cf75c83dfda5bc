#!/usr/bin/env bash
# Tests scripts/install-deps against stand-ins for dpkg-query, apt-cache, apt-get, id and sudo that only write down how they
# were called. Usage: install_deps_test.sh INSTALL_DEPS
set -euo pipefail

install_deps=$1
world=$(mktemp -d)
trap 'rm -rf "$world"' EXIT

stand_in() { # name, script
  printf '#!/bin/bash\n%s\n' "$2" >"$world/bin/$1"
  chmod +x "$world/bin/$1"
}

# A machine: which packages it has, which its lists know before and after an update, and who asks (uid).
machine() {
  rm -rf "${world:?}"/*
  mkdir "$world/bin"
  touch "$world/log"
  echo "$1" >"$world/installed"
  echo "$2" >"$world/known"
  echo "$3" >"$world/known_after_update"
  echo "$4" >"$world/uid"
  stand_in dpkg-query 'grep -qw -- "${@: -1}" '"$world"'/installed && echo -n "install ok installed"'
  stand_in apt-cache 'grep -qw -- "$2" '"$world"'/known && echo "  Candidate: 1.0" || echo "  Candidate: (none)"'
  stand_in apt-get 'echo "apt-get $*" >>'"$world"'/log
    case "$*" in *update*) cp '"$world"'/known_after_update '"$world"'/known ;; esac'
  stand_in id 'cat '"$world"'/uid'
  stand_in sudo 'exit 1'
  for tool in c++ cmake ninja; do stand_in $tool 'exit 0'; done
}

run() { # expected exit code, arguments
  local expected=$1 code=0
  shift
  PATH="$world/bin:/usr/bin:/bin" bash "$install_deps" "$@" >"$world/out" 2>&1 </dev/null || code=$?
  if [[ $code != "$expected" ]]; then
    echo "line ${BASH_LINENO[0]}: exit code $code instead of $expected" >&2
    cat "$world/out" "$world/log" >&2
    exit 1
  fi
}

log_has() { grep -q -- "$1" "$world/log" || { echo "line ${BASH_LINENO[0]}: no '$1' in the log" >&2; cat "$world/log" >&2; exit 1; }; }
log_lacks() { ! grep -q -- "$1" "$world/log" || { echo "line ${BASH_LINENO[0]}: '$1' in the log" >&2; exit 1; }; }
out_has() { grep -q -- "$1" "$world/out" || { echo "line ${BASH_LINENO[0]}: no '$1' in the output" >&2; cat "$world/out" >&2; exit 1; }; }

build="libeigen3-dev nlohmann-json3-dev libfmt-dev libfast-float-dev libtomlplusplus-dev zlib1g-dev"
tests="libgtest-dev"

# All there: nothing is called, no root is needed.
machine "$build" "" "" 1000
run 0 build
log_lacks apt-get

# As root, only what is missing, without an update when the lists know it.
machine "$build" "$build $tests libomp-dev" "" 0
run 0 test
log_has "install -y --no-install-recommends libgtest-dev$"
log_lacks update

# A Clang from elsewhere does not save its OpenMP library.
stand_in clang++ 'exit 0'
run 0 clang
log_has "install -y --no-install-recommends libgtest-dev libomp-dev$"

# Lists that know nothing are updated once.
machine "" "" "$build" 0
run 0 build
[[ $(grep -c update "$world/log") == 1 ]]
log_has "install .*libeigen3-dev .*zlib1g-dev$"

# A package this release does not have is left to CMake.
machine "" "" "${build/libfast-float-dev/}" 0
run 0 build
log_has "install "
log_lacks libfast-float-dev
out_has "libfast-float-dev does not exist"

# Neither root nor sudo: a message with the packages, exit code 1, nothing called.
machine "${build/libfmt-dev/}" "$build" "" 1000
run 1 build
out_has "apt-get install libfmt-dev"
out_has "DEPS=skip"
log_lacks apt-get

# Sudo without a password does.
machine "${build/libfmt-dev/}" "$build" "" 1000
stand_in sudo 'shift; exec "$@"'
run 0 build
log_has "install .*libfmt-dev$"

# An install that fails is tried again after an update, and then given up.
machine "${build/libfmt-dev/}" "$build" "$build" 0
stand_in apt-get 'echo "apt-get $*" >>'"$world"'/log; case "$*" in *install*) exit 100 ;; esac'
run 1 build
out_has "could not be installed"
[[ $(grep -c install "$world/log") == 2 ]]

run 2 nonsense
out_has "nonsense"
echo "install-deps: all cases pass"
