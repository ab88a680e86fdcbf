import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client } from "pg";
import { accountForRootless } from "./account.ts";
import { onFreePort } from "./free-port.ts";
import { missingService } from "./missing-service.ts";
import { findPostgresPrograms, reachablePrograms } from "./postgres-programs.ts";
import { createServiceDirectory } from "./service-directory.ts";
import { startWatched } from "./watched-process.ts";

/** A PostgreSQL server of the test's own. */
export interface PostgresServer {
  /** The URL of an empty database that nobody else has. */
  createDatabase(): Promise<string>;
  /** Resolves when the server and its data are gone. */
  stop(): Promise<void>;
}

/** Settings of a server, by PostgreSQL's own names. */
type Settings = Readonly<Record<string, string | number>>;

/** Options of {@link startPostgres}. */
interface PostgresOptions {
  readonly programs?: string | undefined;
  readonly settings?: Settings;
}

const USER = "tester";

/** What is committed need not outlive the machine, only its own processes. */
const SETTINGS: Settings = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  fsync: "off",
  full_page_writes: "off",
  shared_buffers: "16MB",
};

/** Whether {@link startPostgres} can; when not, why has been said. Throws in its place with `CI=true`. */
export function hasPostgres(): boolean {
  if (findPostgresPrograms() !== undefined) return true;
  return missingService("PostgreSQL", "npm has none for this platform") ?? false;
}

/**
 * Starts a real PostgreSQL on a free port of this machine, in about a second. It ends with this process at the latest.
 *
 * @param options.programs - the folder with its `bin`; default the one that npm has brought.
 * @param options.settings - over those for tests, by PostgreSQL's own names.
 */
export async function startPostgres({
  programs = findPostgresPrograms(),
  settings: own = {},
}: PostgresOptions = {}): Promise<PostgresServer> {
  if (programs === undefined) throw new Error("expected PostgreSQL: ask hasPostgres() first");
  return onFreePort((port) => start(programs, { ...SETTINGS, ...own, port }));
}

async function start(found: string, settings: Settings & { readonly port: number }): Promise<PostgresServer> {
  const { port } = settings;
  const account = accountForRootless();
  const directory = await createServiceDirectory("postgres", account);
  try {
    const programs = await reachablePrograms(found, directory, account);
    const password = randomBytes(16).toString("hex");
    await initialise(join(programs, "bin", "initdb"), directory, password, account);
    const server = await startWatched({
      command: [
        join(programs, "bin", "postgres"),
        "-D",
        join(directory, "data"),
        ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
      ],
      directory,
      account,
      readyText: "ready to accept connections",
      endSignal: "INT",
    });
    const url = (database: string) => `postgres://${USER}:${password}@127.0.0.1:${port}/${database}`;
    let databases = 0;
    return {
      async createDatabase() {
        databases += 1;
        const name = `test_${databases}`;
        await execute(url("postgres"), `CREATE DATABASE ${name}`);
        return url(name);
      },
      stop: () => server.stop(),
    };
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    throw error;
  }
}

async function initialise(
  initdb: string,
  directory: string,
  password: string,
  account: ReturnType<typeof accountForRootless>,
): Promise<void> {
  const passwordFile = join(directory, "password");
  await writeFile(passwordFile, password, { mode: 0o644 });
  await promisify(execFile)(
    initdb,
    [
      `--pgdata=${join(directory, "data")}`,
      `--username=${USER}`,
      `--pwfile=${passwordFile}`,
      "--auth=scram-sha-256",
      "--encoding=UTF8",
      "--locale=C",
      "--no-sync",
      "--no-instructions",
    ],
    { ...account, cwd: directory, env: { PATH: process.env["PATH"] ?? "", LC_ALL: "C" } },
  );
}

async function execute(connectionString: string, statement: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
