import type { StoredCapability, StoredIntent } from "@yagate/protocol";
import type { EventStore } from "./events/event-store.ts";
import type { RecordStore } from "./events/records.ts";
import type { TextRelay } from "./events/text-relay.ts";
import type { RateLimitStore } from "./quotas/rate-limits.ts";
import type { StoredBytesStore } from "./quotas/stored-bytes.ts";
import type { ReadModelStore } from "./read-models/port.ts";
import type { RetentionStore } from "./retention/retention.ts";
import type { AgentStore } from "./tables/agents.ts";
import type { ApiKeyStore } from "./tables/api-keys.ts";
import type { ApprovalStore } from "./tables/approvals.ts";
import type { AuditStore } from "./tables/audit.ts";
import type { ConsoleSessionStore } from "./tables/console-sessions.ts";
import type { EndpointStore } from "./tables/endpoints.ts";
import type { ExposedAgentStore } from "./tables/exposed-agents.ts";
import type { InputRequestStore } from "./tables/input-requests.ts";
import type { IntegrationStore } from "./tables/integrations.ts";
import type { OAuthGrantStore } from "./tables/oauth-grants.ts";
import type { OAuthSignInStore } from "./tables/oauth-sign-ins.ts";
import type { RedeliveryStore } from "./tables/redeliveries.ts";
import type { RoutingEntryStore } from "./tables/routing-entries.ts";
import type { SealedTextStore } from "./tables/sealed-texts.ts";
import type { SettingStore } from "./tables/settings.ts";
import type { SigningSecretStore } from "./tables/signing-secrets.ts";
import type { ToolSourceStore } from "./tables/tool-sources.ts";
import type { ToolkitStore } from "./tables/toolkits.ts";
import type { ToolStore } from "./tables/tools.ts";
import type { UsageStore } from "./tables/usage.ts";
import type { WorkspaceProviderStore } from "./tables/workspace-providers.ts";
import type { WorkspaceSecretStore } from "./tables/workspace-secrets.ts";
import type { WorkspaceStore } from "./tables/workspaces.ts";

export type { EpochMs } from "./epoch-ms.ts";
export type { ChangeKind, ExecutionChange } from "./events/changes.ts";
export type {
  Append,
  AppendDone,
  AppendOutcome,
  AttemptExchange,
  EventEntry,
  EventStore,
  ReleaseOutcome,
} from "./events/event-store.ts";
export type { ExecutionFilter, ExecutionRow, ExecutionSummary, NewExecution, Replay } from "./events/execution-row.ts";
export type { RecordStore, StoredAppend, StoredSubject } from "./events/records.ts";
export type { StoredForm } from "./events/stored-form.ts";
export type { PartialTextPiece, PartialTurn, TextRelay } from "./events/text-relay.ts";
export type { RateLimit, RateLimitStore } from "./quotas/rate-limits.ts";
export type { StoredBytesStore } from "./quotas/stored-bytes.ts";
export type {
  FoldExecution,
  FoldedExecution,
  MetricPoint,
  ReadModelStore,
  ToolCallEntry,
  UnreadExecution,
} from "./read-models/port.ts";
export type { RetentionStore } from "./retention/retention.ts";
export type { AgentRow, AgentStore } from "./tables/agents.ts";
export type { ApiKeyChange, ApiKeyRow, ApiKeyStore } from "./tables/api-keys.ts";
export type { ApprovalDetails, ApprovalRow, ApprovalStore, NewApproval } from "./tables/approvals.ts";
export type { AuditFilter, AuditRow, AuditStore, AuditSubject, ChangeRecorder } from "./tables/audit.ts";
export type { ConsoleSessionRow, ConsoleSessionStore } from "./tables/console-sessions.ts";
export type { EndpointRow, EndpointStore } from "./tables/endpoints.ts";
export type { ExposedAgent, ExposedAgentStore } from "./tables/exposed-agents.ts";
export type {
  InputRequestRow,
  InputRequestStore,
  NewInputRequest,
} from "./tables/input-requests.ts";
export type { IntegrationStore } from "./tables/integrations.ts";
export type { OAuthGrantRow, OAuthGrantStore } from "./tables/oauth-grants.ts";
export type { OAuthSignInRow, OAuthSignInStore } from "./tables/oauth-sign-ins.ts";
export type { RedeliveryStore } from "./tables/redeliveries.ts";
export type { RoutingEntry, RoutingEntryStore } from "./tables/routing-entries.ts";
export type { ToolVersionKey } from "./tables/ruled-versions.ts";
export type { SealedKind, SealedText, SealedTextStore } from "./tables/sealed-texts.ts";
export type { SettingStore } from "./tables/settings.ts";
export type { SealedSigningSecret, SigningSecretStore } from "./tables/signing-secrets.ts";
export type { DefinitionStanding, SourceDefinition, SourceToolRow, ToolCounts } from "./tables/source-tools.ts";
export type { EraKey, SourceEra } from "./tables/tool-source-eras.ts";
export type { ToolSourceRow } from "./tables/tool-source-row.ts";
export type { ToolSourceChange, ToolSourceStore, Withdrawal } from "./tables/tool-sources.ts";
export type { ToolkitRow, ToolkitStore, ToolStep } from "./tables/toolkits.ts";
export type { ToolRow, ToolStore, ToolTestError } from "./tables/tools.ts";
export type { UsageStore } from "./tables/usage.ts";
export type {
  ProviderPermission,
  WorkspaceProviderRow,
  WorkspaceProviderStore,
} from "./tables/workspace-providers.ts";
export type { WorkspaceSecretChange, WorkspaceSecretRow, WorkspaceSecretStore } from "./tables/workspace-secrets.ts";
export type { WorkspaceRow, WorkspaceStore } from "./tables/workspaces.ts";

/** The complete persistent state of a gateway. */
export interface Store {
  readonly eventStore: EventStore;
  readonly agents: AgentStore;
  readonly exposedAgents: ExposedAgentStore;
  readonly workspaces: WorkspaceStore;
  readonly apiKeys: ApiKeyStore;
  readonly signingSecrets: SigningSecretStore;
  readonly endpoints: EndpointStore;
  readonly approvals: ApprovalStore;
  readonly inputRequests: InputRequestStore;
  readonly audit: AuditStore;
  readonly workspaceSecrets: WorkspaceSecretStore;
  readonly workspaceProviders: WorkspaceProviderStore;
  readonly tools: ToolStore;
  readonly toolkits: ToolkitStore;
  readonly toolSources: ToolSourceStore;
  readonly oauthGrants: OAuthGrantStore;
  readonly oauthSignIns: OAuthSignInStore;
  readonly consoleSessions: ConsoleSessionStore;
  readonly integrations: IntegrationStore;
  readonly intents: RoutingEntryStore<StoredIntent>;
  readonly capabilities: RoutingEntryStore<StoredCapability>;
  readonly rateLimits: RateLimitStore;
  readonly settings: SettingStore;
  readonly sealedTexts: SealedTextStore;
  readonly retention: RetentionStore;
  readonly records: RecordStore;
  readonly redeliveries: RedeliveryStore;
  readonly usage: UsageStore;
  readonly storedBytes: StoredBytesStore;
  readonly readModels: ReadModelStore;
  /** Undefined if no other process can share this store. */
  readonly textRelay?: TextRelay;
  /**
   * Whether only one process can open this store. If so, every lease found at startup belongs to a process that has
   * ended.
   */
  readonly isExclusive: boolean;
  /** Writes a test value. @throws YagateError `UNAVAILABLE`, with the reason, if the write fails. */
  ping(): Promise<void>;
  /**
   * Checks that all migration steps of this version have been applied. @throws YagateError `UNAVAILABLE` if a step is
   * missing.
   */
  assertMigrated(): Promise<void>;
  /**
   * Stops repeated attempts to find the outcome of commits whose connection was lost. Undefined if the store uses no
   * connections.
   */
  stopAsking?(): void;
  /** Commits pending writes. Waits at most 5 s for a database that does not respond. */
  close(): Promise<void>;
}
