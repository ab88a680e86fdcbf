import { randomInt } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";

/** The ports that a system gives to outgoing connections, and to servers that ask for port 0. */
interface EphemeralPorts {
  readonly first: number;
  readonly last: number;
}

/** The highest port to which `fetch` refuses to connect is 10080. */
const LOWEST = 10_081;
const HIGHEST = 65_535;
/** The ports between the first ones of processes whose ids follow each other. */
const STRIDE = 64;
/** The default of systems other than Linux. */
const USUAL: EphemeralPorts = { first: 49_152, last: HIGHEST };

const candidates = candidatePorts(ephemeralPorts());
let next = (process.pid * STRIDE + randomInt(STRIDE)) % candidates.length;

/**
 * A port of 127.0.0.1 on which nothing listens, for a server that needs its port before it starts, or for a URL without
 * a server. No outgoing connection and no server on port 0 takes it meanwhile, for it is outside of the range from which
 * the system chooses. A process gets each port once, and processes begin at different places.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < candidates.length; tries += 1) {
    const port = candidates[next];
    next = (next + 1) % candidates.length;
    if (port !== undefined && (await canListenOn(port))) return port;
  }
  throw new Error("expected a free port");
}

/** The ports that the system does not choose by itself; all of them, if it chooses from nearly all. */
export function candidatePorts({ first, last }: EphemeralPorts): readonly number[] {
  const all = Array.from({ length: HIGHEST - LOWEST + 1 }, (_value, index) => LOWEST + index);
  const outside = all.filter((port) => port < first || port > last);
  return outside.length < STRIDE ? all : outside;
}

function ephemeralPorts(): EphemeralPorts {
  try {
    const [first, last] = readFileSync("/proc/sys/net/ipv4/ip_local_port_range", "utf8").split(/\s+/).map(Number);
    return first === undefined || last === undefined ? USUAL : { first, last };
  } catch {
    return USUAL;
  }
}

async function canListenOn(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen({ port, host: "127.0.0.1", exclusive: true });
    await once(server, "listening");
    server.close();
    await once(server, "close");
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "EADDRINUSE" || error.code === "EACCES"))
      return false;
    throw error;
  }
}
