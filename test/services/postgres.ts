import { randomBytes } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";
import { accountForRootless } from "./account.ts";
import { freePort } from "./free-port.ts";
import { missingService } from "./missing-service.ts";
import { findPostgresPrograms, reachablePrograms } from "./postgres-programs.ts";
import { createServiceDirectory } from "./service-directory.ts";
import { KEPT_MARK, startWatched } from "./watched-process.ts";

/** A PostgreSQL server of the test's own. */
export interface PostgresServer {
  /**
   * The URL of a database that nobody else has. It is empty, or a copy of one that `prepare` was called with; that
   * happens once for each server and `prepare`.
   */
  createDatabase(prepare?: (databaseUrl: string) => Promise<void>): Promise<string>;
  /** Ends the server in one of PostgreSQL's own ways and keeps its data; resolves when it is gone. */
  shutDown(mode: ShutdownMode): Promise<void>;
  /** Starts it again, on the same port, after it was shut down or has ended by itself. */
  startAgain(): Promise<void>;
  /** Resolves when the server and its data are gone. */
  stop(): Promise<void>;
}

/** `fast` ends connections in order, `immediate` is as a crash: the next start recovers from the log. */
export type ShutdownMode = "fast" | "immediate";

const SHUTDOWN_SIGNALS = { fast: "SIGINT", immediate: "SIGQUIT" } as const satisfies Record<ShutdownMode, string>;
const USER = "tester";

/** Makes the data of a server beside the file with its password, and becomes the server. */
const INITIALISE_AND_SERVE = `
directory=$1
shift
"$0" --pgdata="$directory/data" --username=${USER} --pwfile="$directory/password" --auth=scram-sha-256 --encoding=UTF8 --locale=C \\
  --no-sync --no-instructions > /dev/null || exit
exec "$@"
`;

/** Whether {@link startPostgres} can; when not, why has been said. Throws in its place with `CI=true`. */
export function hasPostgres(): boolean {
  if (findPostgresPrograms() !== undefined) return true;
  return missingService("PostgreSQL", "npm has none for this platform") ?? false;
}

/** Options of {@link startPostgres}. */
export interface PostgresOptions {
  /** What is committed outlives the machine too, and buffers have their usual size: for measurements. Default false. */
  readonly isDurable?: boolean;
  /** The folder with its `bin`; default the one that npm has brought. */
  readonly programs?: string | undefined;
}

/** Starts a real PostgreSQL on a free port of this machine, in about a second. It ends with this process at the latest. */
export async function startPostgres({
  isDurable = false,
  programs = findPostgresPrograms(),
}: PostgresOptions = {}): Promise<PostgresServer> {
  if (programs === undefined) throw new Error("expected PostgreSQL: ask hasPostgres() first");
  return start(programs, await freePort(), isDurable);
}

async function start(found: string, port: number, isDurable: boolean): Promise<PostgresServer> {
  const account = accountForRootless();
  const directory = await createServiceDirectory("postgres", account);
  try {
    const programs = await reachablePrograms(found, directory, account);
    const password = randomBytes(16).toString("hex");
    const data = join(directory, "data");
    await writeFile(join(directory, "password"), password, { mode: 0o644 });
    const serve = [join(programs, "bin", "postgres"), "-D", data, ...settings(port, isDurable)] as const;
    // Both are watched: a process that is killed in the middle leaves no half of a server behind.
    const initialiseAndServe = [
      "/bin/sh",
      "-c",
      INITIALISE_AND_SERVE,
      join(programs, "bin", "initdb"),
      directory,
      ...serve,
    ] as const;
    const open = (command: readonly [string, ...string[]]) =>
      startWatched({
        command,
        directory,
        account,
        readyText: "ready to accept connections",
        endSignal: "INT",
      });
    const keptMark = join(directory, KEPT_MARK);
    let server = await open(initialiseAndServe);
    const url = (database: string) => `postgres://${USER}:${password}@127.0.0.1:${port}/${database}`;
    let databases = 0;
    const createFrom = async (template: string) => {
      databases += 1;
      const name = `test_${databases}`;
      await execute(url("postgres"), `CREATE DATABASE ${name} TEMPLATE ${template}`);
      return name;
    };
    const templates = new Map<(databaseUrl: string) => Promise<void>, Promise<string>>();
    const templateOf = (prepare: (databaseUrl: string) => Promise<void>) => {
      const known = templates.get(prepare);
      if (known !== undefined) return known;
      const made = createFrom("template1").then(async (name) => {
        await prepare(url(name));
        return name;
      });
      templates.set(prepare, made);
      return made;
    };
    return {
      async createDatabase(prepare) {
        return url(await createFrom(prepare === undefined ? "template1" : await templateOf(prepare)));
      },
      async shutDown(mode) {
        await writeFile(keptMark, "");
        const [pid] = (await readFile(join(data, "postmaster.pid"), "utf8")).split("\n");
        process.kill(Number(pid), SHUTDOWN_SIGNALS[mode]);
        await server.ended;
      },
      async startAgain() {
        server = await open(serve);
        await rm(keptMark);
      },
      async stop() {
        await rm(keptMark, { force: true });
        await server.stop();
        // A server that was shut down has left it.
        await rm(directory, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    throw error;
  }
}

function settings(port: number, isDurable: boolean): readonly string[] {
  // What tests commit need not outlive the machine, only its own processes.
  const quick = { fsync: "off", full_page_writes: "off", shared_buffers: "16MB" };
  const values = {
    port,
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    ...(isDurable ? {} : quick),
  };
  return Object.entries(values).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
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
