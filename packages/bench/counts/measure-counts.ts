import { messageOf, runDriver, startDriver } from "../driver.ts";

/** What one warm execution takes: two scripted model turns, and one signed call of a webhook in another process. */
export interface Counts {
  /** Promises that hooks see: each `await` of a promise counts as one too. */
  readonly promises: number;
  /** On the heap of JavaScript. */
  readonly allocatedBytes: number;
  /** Texts and numbers that SQL statements store or compare. */
  readonly boundBytes: number;
  /** Growth of SQLite's write-ahead log while 16 executions run at once and share commits. */
  readonly loggedBytes: number;
  /** The same while executions run one by one. */
  readonly loggedBytesAlone: number;
  /** Except `BEGIN` and `COMMIT`. */
  readonly statements: number;
  readonly commits: number;
  readonly sha256: number;
  readonly hmacs: number;
  readonly abortControllers: number;
  readonly timers: number;
}

/** What one look of the read models' follower takes. */
export interface FollowerCounts {
  /** Per execution, except `BEGIN` and `COMMIT`. */
  readonly statements: number;
  /** Of the whole look. */
  readonly commits: number;
  /** Growth of SQLite's write-ahead log per execution. */
  readonly loggedBytes: number;
}

export type CountedSide = "yagate" | "usual" | "tuned";

/** So large that a block of executions needs no garbage collection, in MiB. */
const YOUNG_GENERATION = 64;

const FLAGS = [
  "--expose-gc",
  `--min-semi-space-size=${YOUNG_GENERATION}`,
  `--max-semi-space-size=${YOUNG_GENERATION}`,
  `--import=${new URL("tally.ts", import.meta.url)}`,
];

/** Counts the cost of an execution in a separate process, of the gateway or of one of the AI SDK's loops. */
export async function measureCounts(side: CountedSide): Promise<Counts> {
  const webhook = startDriver(new URL("../execution/webhook-server.ts", import.meta.url));
  try {
    const { url, secret } = await messageOf<{ url: string; secret: string }>(webhook);
    return await runDriver<Counts>(new URL("driver.ts", import.meta.url), [side, url, secret], FLAGS);
  } finally {
    webhook.kill();
  }
}

/** Counts, in a separate process, what one look takes that finds so many finished executions. */
export async function measureFollower(executions: number): Promise<FollowerCounts> {
  return runDriver<FollowerCounts>(new URL("follower-driver.ts", import.meta.url), [`${executions}`], FLAGS);
}
