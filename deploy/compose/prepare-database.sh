#!/usr/bin/env bash
# Run once by the image of Postgres, in an empty database: the roles and the database of docs/postgres.md.
set -euo pipefail
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
  --set owner_password="$POSTGRES_OWNER_PASSWORD" --set server_password="$POSTGRES_SERVER_PASSWORD" <<'SQL'
create role camillo_owner login password :'owner_password' nosuperuser nobypassrls;
create role camillo_server login password :'server_password' nosuperuser nobypassrls;
create database camillo owner camillo_owner;
revoke all on database camillo from public;
grant connect, temporary on database camillo to camillo_server;
\connect camillo
create extension vector;
alter function pg_catalog.ts_match_vq(tsvector, tsquery) leakproof;
SQL
