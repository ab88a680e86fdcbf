import { setTimeout as pass } from "node:timers/promises";
import { Client } from "pg";
import type { CounterReader } from "./postgres-counters.ts";
import type { Life } from "./run-replicas.ts";

const LISTENERS = 40;
/** As a replica does. Without it, a connection that listens would receive several messages in one transaction. */
const PAUSE_MS = 10;

/** What messages between replicas take, times in ms of CPU. */
export interface NotifyCosts {
  /** Of the server for each message, without those who hear it. */
  readonly sendMs: number;
  /** Of the server for each one who hears it. */
  readonly deliverMs: number;
  /** Transactions that the server counts for each one who hears it: 1 unless it hears several messages at once. */
  readonly deliverTransactions: number;
  /** Of each replica that hears it, to take it off the wire. */
  readonly hearMs: number;
}

/** Sends messages to one listener and to many: the difference is what hearing takes. */
export async function measureNotify(databaseUrl: string, counters: CounterReader, seconds = 10): Promise<NotifyCosts> {
  const few = await send(databaseUrl, counters, 1, seconds);
  const many = await send(databaseUrl, counters, LISTENERS, seconds);
  const perListener = (of: (costs: typeof few) => number) => Math.max(0, (of(many) - of(few)) / (LISTENERS - 1));
  const deliverMs = perListener(({ serverMs }) => serverMs);
  return {
    sendMs: Math.max(0, few.serverMs - deliverMs),
    deliverMs,
    deliverTransactions: perListener(({ transactions }) => transactions),
    hearMs: perListener(({ ownMs }) => ownMs),
  };
}

/** Returns the transactions of replicas that neither send nor receive notifications. */
export function ownTransactions(
  { transactions, notifications }: Pick<Life, "transactions" | "notifications">,
  replicas: number,
  { deliverTransactions }: NotifyCosts,
): number {
  return transactions - notifications * (1 + replicas * deliverTransactions);
}

async function send(databaseUrl: string, counters: CounterReader, listeners: number, seconds: number) {
  const transactionsBefore = (await counters.read()).transactions;
  const sender = new Client({ connectionString: databaseUrl });
  const clients = Array.from({ length: listeners }, () => new Client({ connectionString: databaseUrl }));
  await Promise.all([sender, ...clients].map((client) => client.connect()));
  let heard = 0;
  for (const client of clients) {
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
  while (performance.now() - startedAt < seconds * 1_000) {
    await sender.query({ name: "tell", text: "SELECT pg_notify('yagate_scale', $1)", values: [payload] });
    sent += 1;
    await pass(PAUSE_MS);
  }
  const own = process.cpuUsage(ownBefore);
  const after = await counters.read();
  await Promise.all([sender, ...clients].map((client) => client.end()));
  if (heard === 0) throw new Error("expected the messages to be heard");
  const { transactions } = await counters.read();
  return {
    serverMs: (after.cpuMs - before.cpuMs) / sent,
    ownMs: (own.user + own.system) / 1_000 / sent,
    // To begin to listen is a transaction, too.
    transactions: (transactions - transactionsBefore - listeners) / sent,
  };
}
