import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { YagateError } from "@yagate/protocol";
import { processHolding } from "./process-holding.ts";

const TRIES = 50;

/**
 * Returns the first free port, starting at `first`. If `first` is taken, prints which process uses it.
 *
 * @throws YagateError `CONFLICT` if many consecutive ports are taken.
 */
export async function freePort(host: string, first: number, say: (text: string) => void): Promise<number> {
  for (let port = first; port < first + TRIES; port += 1) {
    if (!(await isPortTaken(host, port))) {
      if (port !== first) say(`Port ${first} is in use by ${holderOfPort(first)}; using ${port} instead.`);
      return port;
    }
  }
  throw new YagateError("CONFLICT", `expected a free port between ${first} and ${first + TRIES - 1}`, {
    hint: "choose a port with --port",
  });
}

/** Checks only whether a port is in use: the gateway reports addresses that cannot be used at all. */
export async function isPortTaken(host: string, port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, "listening");
    server.close();
    await once(server, "close");
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EADDRINUSE";
  }
}

/** Returns the process that listens on a port, if the system reveals it. Linux does, for the user's own processes. */
export function holderOfPort(port: number): string {
  try {
    const inode = ["/proc/net/tcp", "/proc/net/tcp6"].map((table) => listeningInode(table, port)).find(Boolean);
    const holder = inode === undefined ? undefined : processHolding(`socket:[${inode}]`);
    if (holder !== undefined) return `${holder.name} (process ${holder.pid})`;
  } catch {
    // There is no /proc.
  }
  return "another process";
}

function listeningInode(table: string, port: number): string | undefined {
  const LISTEN = "0A";
  const hexPort = port.toString(16).toUpperCase().padStart(4, "0");
  for (const line of readFileSync(table, "utf8").split("\n").slice(1)) {
    const fields = line.trim().split(/\s+/);
    if (fields[1]?.endsWith(`:${hexPort}`) && fields[3] === LISTEN) return fields[9];
  }
  return undefined;
}
