#!/usr/bin/env bash
# Installs the programs that some tests need and npm can't bring, on Debian and Ubuntu: chromium and redis-server.
# Does nothing when they are there.
set -euo pipefail

missing=()
for program in chromium redis-server; do
  command -v "$program" > /dev/null || missing+=("$program")
done
if [ ${#missing[@]} -eq 0 ]; then
  exit 0
fi
if ! command -v apt-get > /dev/null; then
  echo "install ${missing[*]} with this system's package manager: there is no apt-get here" >&2
  exit 1
fi
if [ "$(id -u)" -ne 0 ]; then
  echo "not installed: ${missing[*]}; run: sudo bash scripts/install-test-services.sh" >&2
  exit 1
fi

# The tests start a Redis of their own: the package must not leave one running. What the machine says itself is kept.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  trap 'rm -f "$policy"' EXIT
  printf '#!/bin/sh\nexit 101\n' > "$policy"
  chmod 755 "$policy"
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends "${missing[@]}"
