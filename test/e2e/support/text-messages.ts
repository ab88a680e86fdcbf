import { Client } from "pg";
import { onTestFinished } from "vitest";
import { z } from "zod";

/** What a replica tells others about texts, as it crosses the database. */
export interface SeenMessage {
  readonly channel: string;
  readonly kind: string;
  readonly from: string;
  readonly payload: string;
  /** When it was heard, in ms on a clock that is never set. */
  readonly atMs: number;
}

const SHARED = "yagate_text";
const messageSchema = z.object({ kind: z.string(), from: z.string() });

/** Hears every message about texts in a database: those to all, and those to replicas that have said something to all. */
export async function hearTextMessages(databaseUrl: string) {
  const seen: SeenMessage[] = [];
  const known = new Set<string>();
  let waiting: (() => void)[] = [];
  const client = new Client({ connectionString: databaseUrl });
  client.on("error", () => {});
  await client.connect();
  onTestFinished(() => client.end());
  client.on("notification", ({ channel, payload = "" }) => {
    const { kind, from } = messageSchema.parse(JSON.parse(payload));
    seen.push({ channel, kind, from, payload, atMs: performance.now() });
    if (!known.has(from)) {
      known.add(from);
      client.query(`LISTEN "${SHARED}_${from}"`).catch(() => {});
    }
    for (const wake of waiting.splice(0)) wake();
  });
  await client.query(`LISTEN ${SHARED}`);
  return {
    seen,
    get texts(): readonly SeenMessage[] {
      return seen.filter(({ kind }) => kind === "text");
    },
    /** Resolves once a replica has said that it listens to this execution. */
    async interestIn(executionId: string): Promise<void> {
      const hasSubscribers = () => seen.some(({ kind, payload }) => kind === "listen" && payload.includes(executionId));
      while (!hasSubscribers()) {
        await new Promise<void>((resolve) => {
          waiting = [...waiting, resolve];
        });
      }
    },
  };
}
