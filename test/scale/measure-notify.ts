import { Client } from "pg";
import type { CounterReader } from "./postgres-counters.ts";

const SENDERS = 4;
const LISTENERS = 40;

/** What messages between replicas take, in ms of CPU. */
export interface NotifyCosts {
  /** Of the server for each message, without those who hear it. */
  readonly sendMs: number;
  /** Of the server for each one who hears it. */
  readonly deliverMs: number;
  /** Of each replica that hears it, to take it off the wire. */
  readonly hearMs: number;
  /** Messages a second that four connections sent to one listener, one after another each. */
  readonly perSecond: number;
}

/** Sends messages to one listener and to many: the difference is what hearing takes. */
export async function measureNotify(databaseUrl: string, counters: CounterReader, seconds = 3): Promise<NotifyCosts> {
  const few = await send(databaseUrl, counters, 1, seconds);
  const many = await send(databaseUrl, counters, LISTENERS, seconds);
  const deliverMs = Math.max(0, (many.serverMs - few.serverMs) / (LISTENERS - 1));
  return {
    sendMs: Math.max(0, few.serverMs - deliverMs),
    deliverMs,
    hearMs: Math.max(0, (many.ownMs - few.ownMs) / (LISTENERS - 1)),
    perSecond: few.perSecond,
  };
}

async function send(databaseUrl: string, counters: CounterReader, listeners: number, seconds: number) {
  const clients = Array.from({ length: SENDERS + listeners }, () => new Client({ connectionString: databaseUrl }));
  await Promise.all(clients.map((client) => client.connect()));
  let heard = 0;
  for (const client of clients.slice(SENDERS)) {
    client.on("notification", () => {
      heard += 1;
    });
    await client.query("LISTEN yagate_scale");
  }
  const payload = `replica ${Array.from({ length: 3 }, (_, index) => `exec_01jd3v0c8me9kxt3f6r2p5q7s${index}:12`).join(" ")}`;
  const before = await counters.read();
  const ownBefore = process.cpuUsage();
  const startedAt = performance.now();
  let sent = 0;
  const sender = async (client: Client) => {
    while (performance.now() - startedAt < seconds * 1_000) {
      await client.query({ name: "tell", text: "SELECT pg_notify('yagate_scale', $1)", values: [payload] });
      sent += 1;
    }
  };
  await Promise.all(clients.slice(0, SENDERS).map(sender));
  const tookSeconds = (performance.now() - startedAt) / 1_000;
  const own = process.cpuUsage(ownBefore);
  const after = await counters.read();
  await Promise.all(clients.map((client) => client.end()));
  if (heard === 0) throw new Error("expected the messages to be heard");
  return {
    serverMs: (after.cpuMs - before.cpuMs) / sent,
    ownMs: (own.user + own.system) / 1_000 / sent,
    perSecond: sent / tookSeconds,
  };
}
