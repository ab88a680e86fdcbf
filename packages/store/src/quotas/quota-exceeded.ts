import { type QuotaName, YagateError } from "@yagate/protocol";

/** What of a quota was used when something new was refused. */
export interface ExceededQuota {
  readonly quota: QuotaName;
  readonly limit: number;
  /** Without what was refused. */
  readonly used: number;
  /** Set where waiting alone helps. */
  readonly retryAfterSeconds?: number;
}

const NOUNS = {
  agents: "agents",
  tools: "tools",
  secrets: "secrets",
  pendingExecutions: "executions that have not ended",
  storedBytes: "stored bytes",
  eventStreams: "open event streams",
  eventStreamsPerExecution: "open event streams of one execution",
  requestsPerSecond: "requests a second",
  requestBytesInFlight: "bytes of requests in flight",
} as const satisfies Record<QuotaName, string>;

/** Something new would take a workspace past a quota of its plan. */
export class QuotaExceededError extends YagateError implements ExceededQuota {
  readonly quota: QuotaName;
  readonly limit: number;
  readonly used: number;
  readonly retryAfterSeconds?: number;

  constructor({ quota, limit, used, retryAfterSeconds }: ExceededQuota) {
    super("QUOTA_EXCEEDED", `the workspace's plan allows ${limit} ${NOUNS[quota]}, and ${used} are in use`);
    this.quota = quota;
    this.limit = limit;
    this.used = used;
    if (retryAfterSeconds !== undefined) this.retryAfterSeconds = retryAfterSeconds;
  }
}
