#!/usr/bin/env bash
# Runs the commands that a page shows: lines "$ ..." of its ```console blocks (a trailing backslash continues a
# command), one after the other, in an empty folder, with the built program first on the PATH.
# Usage: run_commands.sh PAGE BIN_DIR SCRATCH_DIR
set -euo pipefail

page=$1 bin_dir=$2 scratch=$3

commands=$(awk '
  /^```/ { inside = ($0 == "```console"); continued = 0; next }
  inside && continued { print; continued = /\\$/; next }
  inside && /^\$ / { print substr($0, 3); continued = /\\$/ }
' "$page")
if [[ -z $commands ]]; then
  echo "$page shows no command in a \`\`\`console block." >&2
  exit 1
fi

rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch"
export PATH="$bin_dir:$PATH"
bash -x -euo pipefail -c "$commands" </dev/null
