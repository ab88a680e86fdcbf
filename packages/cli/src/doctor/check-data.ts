import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { CompleteConfig } from "@yagate/gateway";
import { commandName } from "../command-name.ts";
import { requirePrivateData } from "../gateway/private-data.ts";
import { type Finding, findingsOf } from "./finding.ts";

const MIB = 1_048_576;

/** Checks whether the gateway can use its data directory: who can read it, whether it is writable, and the free space. */
export function checkData(config: CompleteConfig): readonly Finding[] {
  const { ok, failed } = findingsOf("data directory");
  const path = resolve(config.dataDir);
  try {
    requirePrivateData(config);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return [failed(message, `${commandName()} serve does not start with this directory: change its mode`)];
  }
  const present = nearestDirectory(path);
  if (!isWritable(present)) {
    return [failed(`${present} is not writable for this user`, "change its owner, or set YAGATE_DATA_DIR")];
  }
  const where = present === path ? path : `${path} will be created`;
  return [ok(where), diskSpace(present, config.minFreeDiskBytes)];
}

/** The directory itself, or the nearest one above it that exists. */
function nearestDirectory(path: string): string {
  let current = path;
  while (!existsSync(current) || !statSync(current).isDirectory()) {
    const parent = dirname(current);
    if (parent === current) return current;
    current = parent;
  }
  return current;
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function diskSpace(path: string, minBytes: number): Finding {
  const { ok, failed } = findingsOf("disk space");
  const { bavail, bsize } = statfsSync(path);
  const free = bavail * bsize;
  const text = `${Math.floor(free / MIB)} MiB are free at ${path}`;
  if (free >= minBytes) return ok(text);
  const advice = "free space there; YAGATE_MIN_FREE_DISK_BYTES sets the limit";
  return failed(`${text}, and a gateway accepts no executions below ${Math.floor(minBytes / MIB)} MiB`, advice);
}
