export {
  type AcceptTools,
  type AdoptTools,
  type Agent,
  type Approval,
  type ApprovalStatus,
  type ArtifactPiece,
  type ArtifactSelection,
  type Attempt,
  type AttemptDetail,
  type AuditEntry,
  type Capability,
  type ChangeHint,
  type ConfirmLogin,
  type CreateCapability,
  type CreatedApiKey,
  type CreatedWorkspace,
  type CreateIntegration,
  type CreateIntent,
  type CreateToolkit,
  type CreateToolSource,
  type Endpoint,
  type ErrorCode,
  type Execution,
  type ExecutionInput,
  type ExecutionRecording,
  type ExecutionStatus,
  type ExecutionToken,
  type FieldError,
  type ImportedToolkit,
  type ImportTools,
  type InputAnswer,
  type InputAnswers,
  type InputQuestion,
  type InputRequest,
  type InputRequestStatus,
  type InstalledToolkit,
  type InstallToolTemplate,
  type Integration,
  type Intent,
  type IntentReference,
  type JsonObject,
  type JsonValue,
  type Limits,
  type MetricName,
  type MetricRangeName,
  type MetricReport,
  type MetricSeries,
  type Page,
  type PreviewTool,
  type Provider,
  type PutProvider,
  type PutSecret,
  type QuotaUsage,
  type Receipt,
  type ReceivedEvent as ExecutionEvent,
  type RevokeTools,
  type RotatedSigningSecret,
  type RouteDecision,
  type RoutePreview,
  type RouteRequest,
  type Scope,
  type Script,
  type Secret,
  type SecretAuth,
  type SigningSecret,
  type SourceToolDetail,
  type StartedLogin,
  type StopReason,
  type StreamEvent,
  type ToolCallRecord,
  type ToolCallStatus,
  type ToolCallSummary,
  type ToolChange,
  type Toolkit,
  type ToolPreview,
  type ToolSource,
  type ToolSourceTest,
  type ToolTemplate,
  type ToolTemplateSummary,
  toVisibleLine,
  toVisibleText,
  type UpdateCapability,
  type UpdateIntegration,
  type UpdateIntent,
  type UpdateToolkit,
  type UpdateToolSource,
  type Usage,
  type Warning,
  type WarningSeverity,
  type Workspace,
  type WorkspaceTool,
  type WorkspaceToolTest,
  type WorkspaceUsage,
  YagateError,
} from "@yagate/protocol";
export type {
  AgentChange,
  AgentDefinition,
  HandlerToolInput,
  JsonSchemaObject,
  ToolInput,
  ToolParameters,
} from "./agents/tool-input.ts";
export { ApiError } from "./errors/api-error.ts";
export { NotFinishedError } from "./errors/not-finished-error.ts";
export type { ExecuteRequest, StartRequest, StreamRequest } from "./executions/execution-request.ts";
export type { ExecutionResult } from "./executions/execution-result.ts";
export type { ExecutionStream } from "./executions/execution-stream.ts";
export type {
  FallbackError,
  OnToolError,
  ToolErrorRecord,
  ToolFailure,
  ToolFallback,
} from "./executions/on-tool-error.ts";
export type { OnWaiting, Waiting, WaitingCall } from "./executions/waiting.ts";
export type { ListQuery, PagedList } from "./lists/paged-list.ts";
export type { ApiKeyFunction, FetchLike, YagateOptions } from "./options.ts";
export type { ApiKeyDefinition, ApiKeyListQuery } from "./resources/api-keys.ts";
export type { ApprovalListQuery, ApproveOptions, DenyOptions } from "./resources/approvals.ts";
export type { ArtifactPathOptions, ArtifactPieceOptions } from "./resources/artifacts.ts";
export type { AuditListQuery } from "./resources/audit.ts";
export type { CallOptions } from "./resources/call-options.ts";
export type { WorkspaceChange } from "./resources/changes.ts";
export type {
  EventsOptions,
  ExecutionListQuery,
  RecordingOptions,
  ReplayOptions,
  TokenOptions,
} from "./resources/executions.ts";
export type { AnswerInputOptions, InputRequestListQuery } from "./resources/input-requests.ts";
export type { MetricSeriesQuery } from "./resources/metrics.ts";
export type { RotateRequest } from "./resources/signing-secrets.ts";
export type { ToolCallListQuery } from "./resources/tool-calls.ts";
export type { DeleteToolSourceOptions } from "./resources/tool-sources.ts";
export type { DeleteToolkitOptions } from "./resources/toolkits.ts";
export type {
  AdvanceToolOptions,
  TestToolOptions,
  ToolListQuery,
  WorkspaceToolChange,
  WorkspaceToolDefinitionInput,
  WorkspaceToolInput,
} from "./resources/tools.ts";
export type { Runtime } from "./runtime.ts";
export { Yagate } from "./yagate.ts";
