#!/bin/sh
# Creates the secrets of a deployment once, in the folder secrets. Existing files stay as they are.
# The user of the container, 65532, must be able to read them, and other users must not: run the script as root.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir -p secrets

create() {
  [ -e "secrets/$1" ] || printf '%s\n' "$2" > "secrets/$1"
}

create api_key "yk_$(openssl rand -hex 32)"
create master_keys "k1:$(openssl rand -base64 32)"
create signing_secret "whsec_$(openssl rand -base64 32)"
create postgres_password "$(openssl rand -hex 24)"
create database_url "postgres://yagate:$(cat secrets/postgres_password)@postgres:5432/yagate"

chmod 0711 secrets
chmod 0400 secrets/*
chown 65532:65532 secrets/*
# The user of the PostgreSQL image.
chown 999:999 secrets/postgres_password
