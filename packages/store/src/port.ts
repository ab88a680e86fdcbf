import type { TraceContext } from "@yagate/lib/http/trace-context";
import type {
  Agent,
  Attempt,
  Cost,
  Execution,
  ExecutionRequest,
  ExecutionStatus,
  Page,
  PageQuery,
  RecordedMessage,
  SecretAuth,
  Source,
  Usage,
} from "@yagate/protocol";
import type { EntryReader, EventEntry } from "./events/entries.ts";
import type { ExecutionFilter } from "./events/execution-filter.ts";
import type { TextRelay } from "./events/text-relay.ts";
import type { RateLimitStore } from "./quotas/rate-limits.ts";
import type { StoredBytesStore, UsageStore } from "./quotas/usage-store.ts";
import type { RetentionStore } from "./retention/retention-store.ts";
import type { ApiKeyStore } from "./rows/api-key-rows.ts";
import type { ApprovalStore, NewApproval } from "./rows/approval-rows.ts";
import type { Audit, AuditRow, AuditStore } from "./rows/audit-rows.ts";
import type { EndpointStore } from "./rows/endpoint-rows.ts";
import type { IntegrationStore } from "./rows/integration-rows.ts";
import type { WorkspaceProviderStore } from "./rows/provider-rows.ts";
import type { RecordStore } from "./rows/record-rows.ts";
import type { SealedTextStore } from "./rows/sealed-texts.ts";
import type { ToolkitStore, ToolStore } from "./rows/tool-rows.ts";

export type { EventEntry } from "./events/entries.ts";

/** Times in the journal are ms since the epoch. */
export type EpochMs = number;

/** What lists and single reads show of an execution; derived from its events, written in the same commit. */
export interface ExecutionSummary {
  readonly status: ExecutionStatus;
  readonly stopReason: Execution["stopReason"];
  readonly output: { readonly text: string; readonly sources?: readonly Source[] | undefined } | null;
  readonly error: Execution["error"];
  readonly usage: Usage;
  readonly cost: Cost;
  readonly startedAt: EpochMs | null;
  readonly finishedAt: EpochMs | null;
}

/** The row of an execution: who asked for what, who advances it, and how it stands. */
export interface ExecutionRow extends ExecutionSummary {
  readonly id: string;
  readonly workspaceId: string;
  readonly agentId: string;
  readonly agentVersion: number;
  /** The API key that started it; null for the bootstrap key. */
  readonly startedByKeyId: string | null;
  readonly request: ExecutionRequest;
  /** The trace that it belongs to; absent where it was started outside of any. */
  readonly trace?: TraceContext;
  readonly lastSeq: number;
  /** Counts takeovers; an append under another epoch is refused. */
  readonly epoch: number;
  readonly createdAt: EpochMs;
}

/** A new execution, with the idempotency key that makes its creation repeatable. */
export interface NewExecution {
  readonly id: string;
  readonly workspaceId: string;
  readonly agentId: string;
  readonly agentVersion: number;
  readonly startedByKeyId: string | null;
  readonly request: ExecutionRequest;
  /** Stored with the request. */
  readonly trace?: TraceContext;
  readonly createdAt: EpochMs;
  /** Who advances it from the first moment on, and until when without renewal. */
  readonly owner: string;
  readonly leaseUntil: EpochMs;
  /** Executions of the workspace that may be unfinished at once, this one included; absent or null: any number. */
  readonly maxPending?: number | null;
  readonly idempotency?: {
    /** Workspace, API key and route; keys of others never collide. */
    readonly scope: string;
    readonly key: string;
    /** SHA-256 of the request body. */
    readonly bodyHash: string;
    readonly expiresAt: EpochMs;
  };
}

/** What was sent and what came back in one attempt. */
export interface AttemptExchange {
  readonly attemptId: string;
  readonly request: RecordedMessage | null;
  readonly response: RecordedMessage | null;
}

/** An answer that came after its attempt had been given up: how late, and how large. */
export type LateResponseRecord = NonNullable<Attempt["lateAnswer"]>;

/** Events of one execution that become durable together or not at all. */
export interface Append {
  readonly executionId: string;
  /** The `seq` that the first entry follows. */
  readonly expectedSeq: number;
  /** The owner's epoch; absent for commands (cancel, approve, deny, fallback, a late answer). */
  readonly epoch?: number;
  readonly entries: readonly EventEntry[];
  readonly summary: ExecutionSummary;
  readonly exchanges?: readonly AttemptExchange[];
  /** What is stored of the entries, and what seals it; without it they are stored unsealed. */
  readonly sealed?: { readonly entriesJson: string; readonly link: string };
  /** One for each `approval.requested` of the entries. */
  readonly approvals?: readonly NewApproval[];
  /** What the audit log keeps of the command that this is. */
  readonly audit?: AuditRow | undefined;
}

/**
 * - `appended`: durable.
 * - `behind`: another `lastSeq` under the same epoch, so a command came in: read it, fold it, append again.
 * - `taken_over`: another epoch: stop, and touch nothing.
 */
export type AppendOutcome = "appended" | "behind" | "taken_over";

/** As of an append. */
export type ReleaseOutcome = "released" | Exclude<AppendOutcome, "appended">;

export type Unsubscribe = () => void;

/** Hears what one append made durable, and how the execution stood after it. */
export type EventEntryListener = (entries: readonly EventEntry[], summary: ExecutionSummary) => void;

/**
 * The append-only event log of executions and its read tables.
 *
 * Every method resolves after the commit that holds its effect. All failures of the store itself (disk full, file
 * gone, connection lost) reject with `YagateError` `UNAVAILABLE`, and then nothing was written. The one exception is a
 * database that was lost during a commit and did not come back to be asked: the message says so.
 */
export interface EventStore extends EntryReader {
  /**
   * Makes an execution, claimed by its owner at epoch 1, or finds the one that the same idempotency key made.
   * @throws YagateError `CONFLICT` when the key came with another body.
   * @throws QuotaExceededError when `maxPending` executions are unfinished; the idempotency key stays unused.
   */
  create(execution: NewExecution): Promise<{ readonly execution: ExecutionRow; readonly isNew: boolean }>;
  /** A command (an append without an epoch) also makes an execution due that was laid down. */
  append(append: Append): Promise<AppendOutcome>;
  find(executionId: string, workspaceId: string): Promise<ExecutionRow | undefined>;
  /** Whoever's it is: for the gateway itself, never for a request. */
  findAny(executionId: string): Promise<ExecutionRow | undefined>;
  /** The number of an execution's last event, if it is this workspace's; 0 before the first one. */
  lastSeqOf(executionId: string, workspaceId: string): Promise<number | undefined>;
  list(workspaceId: string, page: PageQuery, filter?: ExecutionFilter): Promise<Page<ExecutionRow>>;
  /** The execution that a tool call belongs to, if it is this workspace's. */
  findToolCall(toolCallId: string, workspaceId: string): Promise<{ readonly executionId: string } | undefined>;
  /** An attempt's execution, tool call and exchange, if it is this workspace's. */
  findAttempt(
    attemptId: string,
    workspaceId: string,
  ): Promise<
    | {
        readonly executionId: string;
        readonly toolCallId: string;
        readonly request: RecordedMessage | null;
        readonly response: RecordedMessage | null;
      }
    | undefined
  >;
  /**
   * Adds to an attempt's exchange what came after its execution had ended. The first one counts; nothing happens where
   * there is no exchange, or none any more.
   */
  addLateResponse(attemptId: string, late: LateResponseRecord): Promise<void>;
  /** What was added to exchanges of these attempts, by their ids. */
  lateResponses(attemptIds: readonly string[]): Promise<ReadonlyMap<string, LateResponseRecord>>;
  /**
   * Takes up to `limit` unfinished executions whose lease has lapsed, adding 1 to their epoch; none that was laid down.
   * `except` names those that this owner is advancing right now, `exceptOwner` somebody whose are all left out, and
   * `exceptWorkspaces` the workspaces that have enough here.
   */
  claim(claim: {
    readonly owner: string;
    readonly now: EpochMs;
    readonly leaseUntil: EpochMs;
    readonly limit: number;
    readonly except: ReadonlySet<string>;
    readonly exceptOwner?: string;
    readonly exceptWorkspaces?: readonly string[];
  }): Promise<readonly ExecutionRow[]>;
  /**
   * Lays an execution down that only waits: it has no owner then, and no lease that could lapse. `claimDue` takes it up
   * again at its moment, or as soon as a command was appended to it. Its former owner can append nothing any more.
   */
  release(release: {
    readonly executionId: string;
    /** The owner's. */
    readonly epoch: number;
    /** Its last event as the owner knows it: a command that came in after it must not be slept through. */
    readonly expectedSeq: number;
    readonly wakeAt: EpochMs;
  }): Promise<ReleaseOutcome>;
  /**
   * Takes up to `limit` executions that were laid down and are due at `now`, adding 1 to their epoch; none of
   * `exceptWorkspaces`.
   */
  claimDue(claim: {
    readonly owner: string;
    readonly now: EpochMs;
    readonly leaseUntil: EpochMs;
    readonly limit: number;
    readonly exceptWorkspaces?: readonly string[];
  }): Promise<readonly ExecutionRow[]>;
  /**
   * Calls the listener when a command made an execution due that was laid down, in this process or, as far as it hears of
   * that, in another one.
   */
  onDue(listener: () => void): Unsubscribe;
  /** Extends the lease of every unfinished execution of this owner. */
  renew(renewal: { readonly owner: string; readonly leaseUntil: EpochMs }): Promise<void>;
  /** Calls the listener with entries of this execution right after they became durable. */
  subscribe(executionId: string, listener: EventEntryListener): Unsubscribe;
  /**
   * Deletes exchanges and idempotency keys past their age, enabled endpoints that were not used for long, and counts of
   * calls that count no more; at most `limit` rows each. Returns how many went.
   */
  deleteExpired(now: EpochMs, limit: number): Promise<number>;
}

/** An agent in one version, with what only the gateway keeps. */
export interface AgentRow {
  readonly workspaceId: string;
  readonly agent: Agent;
  readonly archivedAt: EpochMs | null;
}

export interface AgentStore {
  /**
   * @param maxAgents - that are not archived, this one included; null: any number.
   * @throws QuotaExceededError.
   */
  create(workspaceId: string, agent: Agent, audit?: Audit<Agent>, maxAgents?: number | null): Promise<void>;
  /**
   * Adds the next version, if the current one is `expectedVersion`.
   * @throws YagateError `CONFLICT` otherwise, `NOT_FOUND` when it is not this workspace's or archived.
   */
  update(workspaceId: string, agent: Agent, expectedVersion: number, audit?: Audit<Agent>): Promise<void>;
  /** @throws YagateError `NOT_FOUND`. */
  archive(workspaceId: string, agentId: string, at: EpochMs, audit?: Audit<Agent>): Promise<void>;
  /** The current version, archived or not. */
  find(workspaceId: string, agentId: string): Promise<AgentRow | undefined>;
  findVersion(agentId: string, version: number): Promise<AgentRow | undefined>;
  /** Without the archived ones; each as its JSON, since a page can hold thousands of tools that are only passed on. */
  list(workspaceId: string, page: PageQuery): Promise<Page<string>>;
  /** Newest first. */
  versions(workspaceId: string, agentId: string, page: PageQuery): Promise<Page<Agent>>;
}

export interface WorkspaceRow {
  readonly id: string;
  readonly name: string;
  /** Name of its plan, which the gateway may know or not. */
  readonly plan: string;
  readonly createdAt: EpochMs;
}

export interface WorkspaceStore {
  /** With its first signing secret, in one commit. @throws YagateError `CONFLICT` when the name is taken. */
  create(workspace: WorkspaceRow, secret: SealedSigningSecret, audit?: Audit<WorkspaceRow>): Promise<void>;
  find(workspaceId: string): Promise<WorkspaceRow | undefined>;
  findByName(name: string): Promise<WorkspaceRow | undefined>;
  /** @throws YagateError `NOT_FOUND`. */
  setPlan(workspaceId: string, plan: string, audit?: Audit<WorkspaceRow>): Promise<WorkspaceRow>;
  list(page: PageQuery): Promise<Page<WorkspaceRow>>;
}

/** A signing secret as it is stored: only the keyring can read it. */
export interface SealedSigningSecret {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  /** JWE compact. */
  readonly sealed: string;
  readonly createdAt: EpochMs;
  /** When it stops signing; null for the current one. */
  readonly expiresAt: EpochMs | null;
  /** Whether its text was ever shown to anybody. */
  readonly isSeen: boolean;
}

export interface SigningSecretStore {
  /** Somebody was shown the text of this secret: from now on a rotation lets it overlap. */
  markSeen(workspaceId: string, secretId: string): Promise<void>;
  /** Live ones of every name: not expired at `now`, newest first. */
  list(workspaceId: string, now: EpochMs): Promise<readonly SealedSigningSecret[]>;
  /**
   * Makes `next` the current one of its name; the previous one expires at `previousExpiresAt`, or at once where nobody
   * has seen it. A `previousExpiresAt` that is not after `now` ends all older ones of the name: then `next` signs alone.
   * @returns when the previous one stops signing; null when there was none that anybody has seen.
   * @throws YagateError `CONFLICT` when `maxLive` of the name would be exceeded.
   */
  rotate(rotation: {
    readonly next: SealedSigningSecret;
    readonly previousExpiresAt: EpochMs;
    readonly now: EpochMs;
    readonly maxLive: number;
    readonly audit?: Audit<SealedSigningSecret> | undefined;
  }): Promise<EpochMs | null>;
}

/** A workspace secret as it is stored: only the keyring can read its value. */
export interface WorkspaceSecretRow {
  readonly workspaceId: string;
  readonly name: string;
  /** JWE compact. */
  readonly sealed: string;
  readonly auth: SecretAuth | null;
  readonly hosts: readonly string[];
  /** Not written since keys of providers are bound to hosts: without `hosts` it still goes where its provider goes. */
  readonly isUnbound: boolean;
  readonly createdAt: EpochMs;
  readonly updatedAt: EpochMs;
}

/** What of a secret is set; fields that are left out stay as they are. */
export interface WorkspaceSecretChange {
  readonly workspaceId: string;
  readonly name: string;
  readonly sealed: string;
  readonly auth?: SecretAuth | null;
  readonly hosts?: readonly string[];
  readonly at: EpochMs;
}

export interface WorkspaceSecretStore {
  /**
   * Makes it, or changes it if it is there.
   * @param maxSecrets - null: any number.
   * @throws QuotaExceededError when the workspace would have more than `maxSecrets`.
   */
  put(
    change: WorkspaceSecretChange,
    maxSecrets: number | null,
    audit?: Audit<WorkspaceSecretRow>,
  ): Promise<WorkspaceSecretRow>;
  find(workspaceId: string, name: string): Promise<WorkspaceSecretRow | undefined>;
  /** In the order of names. */
  list(workspaceId: string, page: PageQuery): Promise<Page<WorkspaceSecretRow>>;
  /** @throws YagateError `NOT_FOUND`. */
  delete(workspaceId: string, name: string, audit?: Audit<WorkspaceSecretRow>): Promise<void>;
}

/** Small values of the gateway itself: the keyring's canary. */
export interface SettingStore {
  get(name: string): Promise<string | undefined>;
  /** Writes it only if it is absent, and answers what is there now. */
  setOnce(name: string, value: string): Promise<string>;
  /** Writes another value only if this one is still there. */
  replace(name: string, from: string, to: string): Promise<boolean>;
}

/** Everything that the gateway keeps, behind one door. */
export interface Store {
  readonly eventStore: EventStore;
  readonly agents: AgentStore;
  readonly workspaces: WorkspaceStore;
  readonly apiKeys: ApiKeyStore;
  readonly signingSecrets: SigningSecretStore;
  readonly endpoints: EndpointStore;
  readonly approvals: ApprovalStore;
  readonly audit: AuditStore;
  readonly workspaceSecrets: WorkspaceSecretStore;
  readonly workspaceProviders: WorkspaceProviderStore;
  readonly tools: ToolStore;
  readonly toolkits: ToolkitStore;
  readonly integrations: IntegrationStore;
  readonly rateLimits: RateLimitStore;
  readonly settings: SettingStore;
  readonly sealedTexts: SealedTextStore;
  readonly retention: RetentionStore;
  readonly records: RecordStore;
  readonly usage: UsageStore;
  readonly storedBytes: StoredBytesStore;
  /** Undefined where no other process can share this store. */
  readonly textRelay?: TextRelay;
  /** Nobody else can have this store open: a lease that is found at start belonged to a process that has ended. */
  readonly isExclusive: boolean;
  /** Whether a write would succeed now; the message of the error says why not. @throws YagateError `UNAVAILABLE`. */
  ping(): Promise<void>;
  /** Whether the schema has every step of this version now. @throws YagateError `UNAVAILABLE` when it lacks one. */
  assertMigrated(): Promise<void>;
  /** From now on no write waits for a lost database to say what became of a commit. Undefined where none can be lost. */
  stopAsking?(): void;
  /** Commits what is on its way; a database that does not answer is not waited for longer than 5 s. */
  close(): Promise<void>;
}
