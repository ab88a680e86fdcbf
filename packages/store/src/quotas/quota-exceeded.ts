import { type QuotaName, YagateError } from "@yagate/protocol";

/** The usage of a quota when a request was rejected. */
export interface ExceededQuota {
  readonly quota: QuotaName;
  readonly limit: number;
  /** Usage without the rejected request. */
  readonly used: number;
  /** Seconds after which the request may succeed; absent if waiting alone does not help. */
  readonly retryAfterSeconds?: number;
}

const NOUNS = {
  agents: "agents",
  tools: "tools",
  secrets: "secrets",
  pendingExecutions: "unfinished executions",
  storedBytes: "stored bytes",
  eventStreams: "open event streams",
  eventStreamsPerExecution: "open event streams of one execution",
  requestsPerSecond: "requests a second",
  requestBytesInFlight: "bytes of requests in flight",
} as const satisfies Record<QuotaName, string>;

/** Thrown if a request would exceed a quota of the workspace's plan. */
export class QuotaExceededError extends YagateError implements ExceededQuota {
  readonly quota: QuotaName;
  readonly limit: number;
  readonly used: number;
  readonly retryAfterSeconds?: number;

  constructor({ quota, limit, used, retryAfterSeconds }: ExceededQuota) {
    super("QUOTA_EXCEEDED", `the workspace's plan allows ${limit} ${NOUNS[quota]}; current usage: ${used}`);
    this.quota = quota;
    this.limit = limit;
    this.used = used;
    if (retryAfterSeconds !== undefined) this.retryAfterSeconds = retryAfterSeconds;
  }
}
