#!/bin/sh
# Creates the secrets of a deployment once, in the folder secrets. Existing files stay as they are.
# The user of the container, 65532, must be able to read them, and other users must not: run the script as root.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir -p secrets

# Prints random bytes as hexadecimal digits or in base64. Fails unless all of them could be read.
hex() {
  text=$(od -An -v -N "$1" -tx1 /dev/urandom | tr -d ' \n')
  [ "${#text}" -eq $(($1 * 2)) ] && printf '%s' "$text"
}
base64_of_32() {
  text=$(head -c 32 /dev/urandom | base64 | tr -d '\n')
  [ "${#text}" -eq 44 ] && printf '%s' "$text"
}

# The file gets its name when it is complete.
create() {
  [ -e "secrets/$1" ] && return
  printf '%s\n' "$2" > "secrets/.$1"
  mv "secrets/.$1" "secrets/$1"
}

# Assignments end the script if a command fails; arguments would not.
api_key=$(hex 32)
master_key=$(base64_of_32)
signing_secret=$(base64_of_32)
password=$(hex 24)
create api_key "yk_$api_key"
create master_keys "k1:$master_key"
create signing_secret "whsec_$signing_secret"
create postgres_password "$password"
password=$(cat secrets/postgres_password)
create database_url "postgres://yagate:$password@postgres:5432/yagate"

chmod 0711 secrets
chmod 0400 secrets/*
chown 65532:65532 secrets/*
# The user of the PostgreSQL image.
chown 999:999 secrets/postgres_password
