import { readFileSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import type { CompleteConfig } from "@yagate/gateway";
import { parseJsonOrUndefined } from "@yagate/lib/json/parse-json";
import { YagateError } from "@yagate/protocol";
import * as z from "zod";
import { type OtherProcess, processHolding } from "./process-holding.ts";

const LOCK_FILE = "lock.db";

/** A gateway that uses a data directory. */
const recordSchema = z.object({ pid: z.int().positive(), command: z.string(), url: z.string() });
type RunningGateway = z.output<typeof recordSchema>;

/**
 * Describes why a gateway cannot start in a data directory that another process uses.
 *
 * @param error - why the gateway did not start.
 * @param recordFile - the name of the file in which a gateway records its process.
 * @returns `UNAVAILABLE` with the process, its command, its URL if it is known, and what to do; `error` if no other
 *   process is known to use the directory.
 */
export function explainStart(
  error: unknown,
  { dataDir, databaseUrl }: Pick<CompleteConfig, "dataDir" | "databaseUrl">,
  recordFile: string,
): unknown {
  if (!YagateError.is(error) || error.code !== "UNAVAILABLE" || databaseUrl !== undefined) return error;
  const path = resolve(dataDir);
  const [holder, record] = [holderOf(path), readRecord(join(path, recordFile))];
  const known = record !== undefined && (holder?.pid ?? record.pid) === record.pid ? record : undefined;
  const { pid, name } = holder ?? { pid: known?.pid, name: "" };
  if (pid === undefined || !isRunning(pid)) return error;
  const who = `${known?.command ?? name} (process ${pid})`;
  const where = known === undefined ? "" : `, which listens on ${known.url}`;
  const use = known === undefined ? "" : `use that gateway (export YAGATE_BASE_URL=${known.url}), `;
  return new YagateError("UNAVAILABLE", `the data directory ${path} is used by ${who}${where}`, {
    hint: `${use}stop it (kill ${pid}), or choose another directory (YAGATE_DATA_DIR, or --data-dir of yagate dev)`,
    cause: error,
  });
}

function holderOf(path: string): OtherProcess | undefined {
  try {
    return processHolding(realpathSync(join(path, LOCK_FILE)));
  } catch {
    return undefined;
  }
}

function readRecord(file: string): RunningGateway | undefined {
  try {
    const { data } = recordSchema.safeParse(parseJsonOrUndefined(readFileSync(file, "utf8")));
    return data;
  } catch {
    return undefined;
  }
}

/** A record stays if its process was killed. */
function isRunning(pid: number): boolean {
  try {
    return pid !== process.pid && process.kill(pid, 0);
  } catch (error) {
    // The process belongs to another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
