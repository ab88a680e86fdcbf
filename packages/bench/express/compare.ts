import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { generateSigningSecret, sign } from "@yagate/protocol";
import { Pool } from "undici";
import { callBody } from "../call-body.ts";
import { format, spreadOf } from "../spread.ts";

const ROUNDS = 7;
const CALLS = 6_000;
const CONNECTIONS = 32;
const BODY_BYTES = 1_024;

interface Measured {
  readonly callsPerSecond: number;
  readonly cpuMs: number;
}

interface SignedBody {
  readonly body: Uint8Array;
  readonly signature: string;
}

/** Calls of 1 KB to a tool in Express: the adapter, and `express.raw` with verification by hand. */
export async function benchExpress(): Promise<void> {
  const secret = generateSigningSecret();
  const servers = { peer: await start("peer-server.ts", secret), yagate: await start("yagate-server.ts", secret) };
  const rounds: { peer: Measured; yagate: Measured }[] = [];
  try {
    for (let round = -1; round < ROUNDS; round += 1) {
      const calls = await signedCalls(secret);
      const peer = await measure(servers.peer, calls);
      const yagate = await measure(servers.yagate, calls);
      // The first round warms up.
      if (round >= 0) rounds.push({ peer, yagate });
    }
  } finally {
    for (const { child } of Object.values(servers)) child.kill();
  }
  console.log(
    `\nExpress, 1 KB, ${CONNECTIONS} connections, Node ${process.versions.node}, ${ROUNDS} alternated rounds`,
  );
  const print = (label: string, values: readonly number[], digits?: number) =>
    console.log(`  ${label.padEnd(52)} ${format(spreadOf(values), digits)}`);
  print(
    "express.raw, verification by hand: calls/s",
    rounds.map(({ peer }) => peer.callsPerSecond),
    0,
  );
  print(
    "toolHandler of the kit: calls/s",
    rounds.map(({ yagate }) => yagate.callsPerSecond),
    0,
  );
  print(
    "rate, ratio (goal: at least 1.4)",
    rounds.map(({ peer, yagate }) => yagate.callsPerSecond / peer.callsPerSecond),
  );
  print(
    "CPU of the server a call, ratio (lower is better)",
    rounds.map(({ peer, yagate }) => yagate.cpuMs / peer.cpuMs),
  );
}

interface RunningServer {
  readonly child: ChildProcess;
  readonly url: string;
}

async function start(file: string, secret: string): Promise<RunningServer> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = fork(path, [secret], {
    execArgv: ["--conditions=@yagate/source"],
    env: { ...process.env, NODE_ENV: "production" },
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.once("message", (message) => resolve(String(message)));
    child.once("exit", (code) => reject(new Error(`${file} ended with ${code}`)));
  });
  return { child, url };
}

/** Each call has an id of its own, so that none is answered from memory. */
async function signedCalls(secret: string): Promise<readonly SignedBody[]> {
  const calls: SignedBody[] = [];
  for (let index = 0; index < CALLS; index += 1) {
    const body = callBody(Date.now(), BODY_BYTES);
    calls.push({ body, signature: await sign(body, [secret]) });
  }
  return calls;
}

async function measure({ child, url }: RunningServer, calls: readonly SignedBody[]): Promise<Measured> {
  const pool = new Pool(url, { connections: CONNECTIONS, pipelining: 1 });
  const waiting = calls.values();
  const send = async () => {
    for (const { body, signature } of waiting) {
      const headers = { "content-type": "application/json", "x-ya-signature": signature };
      const response = await pool.request({ path: "/tool", method: "POST", headers, body });
      const text = await response.body.text();
      if (response.statusCode !== 200) throw new Error(`a server answered ${response.statusCode}: ${text}`);
    }
  };
  const cpuBefore = await cpuMsOf(child);
  const before = performance.now();
  await Promise.all(Array.from({ length: CONNECTIONS }, send));
  const seconds = (performance.now() - before) / 1_000;
  const cpuMs = ((await cpuMsOf(child)) - cpuBefore) / calls.length;
  await pool.close();
  return { callsPerSecond: calls.length / seconds, cpuMs };
}

function cpuMsOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.once("message", (message) => resolve(Number(message)));
    child.send("cpu");
  });
}
