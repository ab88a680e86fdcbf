export { argumentsHash } from "./arguments-hash.ts";
export { blockReasonOf, isBlocked } from "./block-reason.ts";
export { canonicalJson } from "./canonical-json.ts";
export { ERROR_TABLE, type ErrorTraits } from "./errors/error-table.ts";
export { ERROR_TRAITS, type ErrorCode, isErrorCode } from "./errors/error-traits.ts";
export { YagateError, type YagateErrorOptions } from "./errors/yagate-error.ts";
export { type FrameMarks, frameText } from "./frame-text.ts";
export { isHostName, parseHost, parseHostPattern } from "./host.ts";
export {
  MANIFEST_VERSION,
  MAX_DESCRIBE_BYTES,
  MAX_MANIFEST_BYTES,
  MAX_MANIFEST_DESCRIPTION_BYTES,
  MAX_MANIFEST_SCHEMA_BYTES,
  MAX_MANIFEST_SCHEMA_DEPTH,
  MAX_MANIFEST_TOOLS,
} from "./manifest-limits.ts";
export { parseManifest } from "./parse-manifest.ts";
export { entryText, linkText, RECORD_FORMAT, type RecordSubject, subjectText } from "./receipts/record-chain.ts";
export { recordText } from "./receipts/record-text.ts";
export { type ReceiptProblem, type ReceiptVerdict, verifyReceipt } from "./receipts/verify-receipt.ts";
export { schemaHash } from "./schema-hash.ts";
export {
  type Agent,
  type AgentPolicy,
  agentPolicySchema,
  agentSchema,
  type CreateAgent,
  createAgentSchema,
  MAX_TOOLS_PER_AGENT,
  type UpdateAgent,
  updateAgentSchema,
} from "./schemas/agent.ts";
export {
  ALL_SCOPES,
  type ApiKey,
  apiKeySchema,
  type CreatedApiKey,
  createApiKeySchema,
  createdApiKeySchema,
  rotateApiKeySchema,
  type Scope,
  scopeSchema,
  type UpdateApiKey,
  updateApiKeySchema,
} from "./schemas/api-key.ts";
export {
  type Approval,
  type ApprovalQuery,
  type ApprovalRequest,
  type ApprovalResolution,
  type ApprovalStatus,
  approvalQuerySchema,
  approvalSchema,
  approvalStatusSchema,
  approveSchema,
  DEFAULT_APPROVAL_EXPIRY_MS,
  denySchema,
  toApprovalResolution,
} from "./schemas/approval.ts";
export {
  type ArtifactPiece,
  type ArtifactSelection,
  artifactPieceSchema,
  artifactQuerySchema,
  artifactSelectionSchema,
  DEFAULT_ARTIFACT_PIECE_CHARACTERS,
  MAX_ARTIFACT_PIECE_CHARACTERS,
} from "./schemas/artifact.ts";
export {
  type Attempt,
  type AttemptDetail,
  attemptDetailSchema,
  attemptSchema,
  type RecordedMessage,
  recordedMessageSchema,
  type Timings,
  timingsSchema,
} from "./schemas/attempt.ts";
export {
  type AuditEntry,
  type AuditQuery,
  auditEntrySchema,
  auditQuerySchema,
  DEFAULT_AUDIT_RETENTION_DAYS,
  JSON_LINES_TYPE,
  MAX_AUDITED_BYTES,
} from "./schemas/audit.ts";
export {
  BUILTIN_ALIASES,
  BUILTIN_NAMES,
  type BuiltinName,
  builtinNameSchema,
  PRIMITIVE_NAMES,
  type PrimitiveName,
} from "./schemas/builtin-names.ts";
export {
  DEFAULT_NETWORK_TIMEOUT_MS,
  DEFAULT_TOOL_TIMEOUT_MS,
  MAX_TOOL_RETRIES,
} from "./schemas/call-options.ts";
export {
  type Capability,
  type CapabilityMode,
  type CapabilityTarget,
  type CreateCapability,
  capabilityKeySchema,
  capabilitySchema,
  createCapabilitySchema,
  type HostedToolName,
  MAX_CAPABILITIES,
  type StoredCapability,
  type UpdateCapability,
  updateCapabilitySchema,
} from "./schemas/capability.ts";
export { type ChangeHint, type ChangeHintType, changeHintSchema } from "./schemas/change-hint.ts";
export { type ComposedToolDefinition, composedToolSchema } from "./schemas/composed-tool.ts";
export { type DeclaredOptions, declaredOptionsSchema, MAX_TOOL_TIMEOUT_MS } from "./schemas/declared-options.ts";
export { type DescribeRequest, describeRequestSchema } from "./schemas/describe-request.ts";
export {
  type ExecutionEvent,
  type ExecutionEventType,
  executionEventSchema,
  FINAL_EVENT_TYPES,
  PASSIVE_EVENT_TYPES,
  type ReceivedEvent,
  receivedEventSchema,
  type StreamEvent,
  type TextDelta,
  textDeltaSchema,
} from "./schemas/event.ts";
export {
  type Citation,
  type CreateExecution,
  citationSchema,
  createExecutionSchema,
  DEFAULT_FALLBACK_WAIT_MS,
  type Execution,
  type ExecutionError,
  type ExecutionInput,
  type ExecutionMode,
  type ExecutionRequest,
  type ExecutionStatus,
  executionInputSchema,
  executionModeSchema,
  executionOutputSchema,
  executionSchema,
  executionStatusSchema,
  hasEnded,
  inputMessageSchema,
  MAX_CALLER_BYTES,
  MAX_METADATA_BYTES,
  type Script,
  type StopReason,
  scriptSchema,
  stopReasonSchema,
} from "./schemas/execution.ts";
export { type ExecutionRecording, executionRecordingSchema } from "./schemas/execution-recording.ts";
export {
  type CreateExecutionToken,
  createExecutionTokenSchema,
  DEFAULT_EXECUTION_TOKEN_SECONDS,
  EXECUTION_TOKEN_PREFIX,
  type ExecutionToken,
  executionTokenSchema,
  MAX_EXECUTION_TOKEN_SECONDS,
} from "./schemas/execution-token.ts";
export { toFieldErrors } from "./schemas/field-errors.ts";
export { type HandlerError, handlerErrorSchema } from "./schemas/handler-error.ts";
export { handlerErrorCodeSchema } from "./schemas/handler-error-code.ts";
export { type HostedCall, hostedCallSchema, type Source, sourceSchema } from "./schemas/hosted-call.ts";
export { HTTP_METHODS, type HttpMethod, httpMethodSchema } from "./schemas/http-method.ts";
export {
  agentIdSchema,
  apiKeyIdSchema,
  approvalIdSchema,
  artifactIdSchema,
  attemptIdSchema,
  describeRequestIdSchema,
  endpointIdSchema,
  executionIdSchema,
  ID_PREFIXES,
  type IdKind,
  signingSecretIdSchema,
  toolCallIdSchema,
  toolIdSchema,
  toolkitIdSchema,
  toolSourceIdSchema,
  workspaceIdSchema,
} from "./schemas/ids.ts";
export {
  type AnswerInput,
  answerInputSchema,
  type InputAnswer,
  type InputAnswers,
  type InputQuestion,
  type InputRequest,
  type InputRequestQuery,
  type InputRequestStatus,
  type InputResolution,
  inputAnswersSchema,
  inputQuestionSchema,
  inputRequestQuerySchema,
  inputRequestSchema,
  inputRequestStatusSchema,
  MAX_INPUT_QUESTIONS,
  MAX_INPUT_ROUNDS,
  type RecordedAnswers,
} from "./schemas/input-request.ts";
export {
  type CreateIntegration,
  createIntegrationSchema,
  type Integration,
  integrationNameSchema,
  integrationSchema,
  MAX_INTEGRATIONS,
  type UpdateIntegration,
  updateIntegrationSchema,
  WEBHOOK_INTEGRATION,
} from "./schemas/integration.ts";
export {
  type CreateIntent,
  createIntentSchema,
  GATEWAY_INTENTS,
  type Intent,
  type IntentDefinition,
  intentSchema,
  MAX_INTENTS,
  type StoredIntent,
  type UpdateIntent,
  updateIntentSchema,
} from "./schemas/intent.ts";
export {
  type JsonObject,
  type JsonValue,
  jsonObjectSchema,
  jsonValueSchema,
  momentSchema,
  timestampSchema,
} from "./schemas/json.ts";
export {
  DEFAULT_LIMITS,
  type LimitName,
  type Limits,
  limitNameSchema,
  limitsSchema,
  MAX_CALLS_PER_TURN,
  partialLimitsSchema,
} from "./schemas/limits.ts";
export {
  type MetricName,
  type MetricRangeName,
  type MetricReport,
  type MetricSeries,
  metricNameSchema,
  metricQuerySchema,
  metricRangeSchema,
  metricReportSchema,
  metricSeriesSchema,
} from "./schemas/metric-series.ts";
export { MAX_MODEL_CALLS, type ModelCall, type ModelResponse, modelCallSchema } from "./schemas/model-call.ts";
export { type OpenEnum, type OtherString, openEnum } from "./schemas/open-enum.ts";
export { type OpenSchema, openDefinition, openResponse } from "./schemas/open-response.ts";
export type { SourceDocument } from "./schemas/openapi-source.ts";
export {
  DEFAULT_PAGE_LIMIT,
  MAX_PAGE_LIMIT,
  type Page,
  type PageQuery,
  pageQuerySchema,
  pageSchema,
} from "./schemas/page.ts";
export { parametersSchema } from "./schemas/parameters.ts";
export type { HeldTools, PinnedSourceTool } from "./schemas/pinned-source-tool.ts";
export {
  type CallLimits,
  callLimitsSchema,
  DEFAULT_PLAN,
  DEFAULT_PLANS,
  MAX_LIMITED_CALLS,
  type Plan,
  planNameSchema,
  planSchema,
  type QuotaName,
  type Quotas,
  quotasSchema,
} from "./schemas/plan.ts";
export { type FieldError, fieldErrorSchema, type Problem, problemSchema } from "./schemas/problem.ts";
export { type Projection, projectionSchema } from "./schemas/projection.ts";
export {
  type Provider,
  type PutProvider,
  providerSchema,
  putProviderSchema,
  secretNameOf,
  toWorkspaceSecretReference,
} from "./schemas/provider.ts";
export {
  type KeySet,
  keySetSchema,
  RECEIPT_FORMAT,
  RECEIPT_TYPE,
  type Receipt,
  type ReceiptCall,
  type ReceiptLine,
  type ReceiptRecord,
  receiptQuerySchema,
  receiptSchema,
} from "./schemas/receipt.ts";
export {
  MAX_RECORDED_RESULTS,
  MAX_RECORDED_TURNS,
  type RecordedAgent,
  type RecordedResult,
  type RecordedTurn,
  type Recording,
  recordedTurnSchema,
  recordingSchema,
} from "./schemas/recording.ts";
export { type Redeliver, type Redelivery, redeliverSchema, redeliverySchema } from "./schemas/redelivery.ts";
export { type ReplayRequest, replaySchema } from "./schemas/replay.ts";
export { resourceNameSchema } from "./schemas/resource-name.ts";
export {
  type RestDefinition,
  type RestParameter,
  type RestPlace,
  type RestToolDefinition,
  type RestWarning,
  restDefinitionSchema,
  restParameterSchema,
  restToolSchema,
} from "./schemas/rest-tool.ts";
export { type Resumption, resumptionSchema } from "./schemas/resumption.ts";
export {
  type AppliedRule,
  type CapabilityVersion,
  type IntentReason,
  type IntentRoute,
  type RouteCandidate,
  type RouteDecision,
  type RoutePreview,
  type RouteRefusal,
  routeDecisionSchema,
  routePreviewSchema,
} from "./schemas/route-decision.ts";
export { type RouteRequest, routeRequestSchema } from "./schemas/route-request.ts";
export {
  COST_CLASSES,
  type CostClass,
  DATA_CLASSES,
  type DataClass,
  type ExecutionRouting,
  executionRoutingSchema,
  intentNameSchema,
  type KeyRouting,
} from "./schemas/routing.ts";
export {
  type AgentRouting,
  agentRoutingSchema,
  MAX_INTENTS_PER_AGENT,
  type RoutingRule,
} from "./schemas/routing-rule.ts";
export {
  type BasicCredential,
  type PutSecret,
  putSecretSchema,
  type Secret,
  type SecretAuth,
  secretAuthSchema,
  secretNameSchema,
  secretSchema,
} from "./schemas/secret.ts";
export { DEFAULT_SECRET_OVERLAP_SECONDS, MAX_SECRET_OVERLAP_SECONDS } from "./schemas/secret-overlap.ts";
export {
  type ApprovalMode,
  approvalModeSchema,
  type RiskClass,
  riskClassSchema,
  type SideEffect,
  sideEffectSchema,
  type ToolKind,
  toolKindSchema,
} from "./schemas/side-effect.ts";
export { type SourceToolDetail, sourceToolDetailSchema } from "./schemas/source-tool-detail.ts";
export {
  callbackOutcomeSchema,
  callbackReceiptSchema,
  pendingAnswerSchema,
  toolErrorAnswerSchema,
  toolResultAnswerSchema,
} from "./schemas/tool-answer.ts";
export {
  CALLBACK_TOKEN_PREFIX,
  callbackSchema,
  DEFAULT_CALLBACK_EXPIRY_MS,
  type ToolCall,
  toolCallSchema,
} from "./schemas/tool-call.ts";
export {
  type FallbackAnswer,
  fallbackAnswerSchema,
  type PolicyDecision,
  policyDecisionSchema,
  type ToolCallRecord,
  type ToolCallStatus,
  toolCallRecordSchema,
  toolCallStatusSchema,
  type Via,
  viaSchema,
} from "./schemas/tool-call-record.ts";
export { type ToolCallSummary, toolCallFilterSchema, toolCallSummarySchema } from "./schemas/tool-call-summary.ts";
export {
  type BuiltinToolDefinition,
  builtinToolSchema,
  type CompleteToolDefinition,
  type HandlerToolDefinition,
  handlerToolSchema,
  type IntentReference,
  isBuiltinTool,
  isComposedTool,
  isHandlerTool,
  isIntentReference,
  isRestTool,
  isToolReference,
  isToolSourceReference,
  type ToolDefinition,
  type ToolReference,
  type ToolSourceReference,
  toolDefinitionSchema,
  toolReferenceSchema,
} from "./schemas/tool-definition.ts";
export { type ToolErrorRecord, toolErrorSchema } from "./schemas/tool-error.ts";
export {
  type ManifestTool,
  manifestToolSchema,
  type ToolManifest,
  toolManifestSchema,
} from "./schemas/tool-manifest.ts";
export { MAX_TOOL_NAME_LENGTH, toolNameSchema } from "./schemas/tool-name.ts";
export {
  loadReasonSchema,
  MAX_TOOL_SEARCH_LIMIT,
  type ToolDeferral,
  type ToolSearchSettings,
  toolSearchSchema,
} from "./schemas/tool-search.ts";
export {
  type CreateToolSource,
  createToolSourceSchema,
  DEFAULT_SYNC_INTERVAL_SECONDS,
  deleteToolSourceQuerySchema,
  type HandlerSourceSettings,
  MAX_SOURCE_TOOLS_PER_WORKSPACE,
  MAX_TOOL_SOURCES,
  MAX_TOOLS_PER_SOURCE,
  type McpAuth,
  type McpSourceSettings,
  type OnChange,
  type OpenApiSourceSettings,
  type SkippedTool,
  type SourceToolState,
  type ToolChange,
  type ToolSource,
  type ToolSourceKind,
  type ToolSourceOptions,
  type ToolSourceSettings,
  type ToolSourceStatus,
  toolChangeSchema,
  toolSourceNameSchema,
  toolSourceSchema,
  toolSourceSettingsSchema,
  type UpdateToolSource,
  updateToolSourceSchema,
} from "./schemas/tool-source.ts";
export {
  type ConfirmLogin,
  confirmLoginSchema,
  oauthScopeSchema,
  type StartedLogin,
  startedLoginSchema,
  type ToolSourceOAuth,
  toolSourceOAuthSchema,
} from "./schemas/tool-source-oauth.ts";
export {
  type AcceptTools,
  type AdoptTools,
  acceptToolsSchema,
  adoptToolsSchema,
  type RevokeTools,
  revokeToolsSchema,
} from "./schemas/tool-source-review.ts";
export { type ToolSourceTest, toolSourceTestSchema } from "./schemas/tool-source-test.ts";
export {
  type ImportTools,
  type InstallToolTemplate,
  importToolsSchema,
  installToolTemplateSchema,
  type ListImportOperations,
  listImportOperationsSchema,
  type ToolTemplate,
  type ToolTemplateSummary,
  toolTemplateSchema,
  toolTemplateSummarySchema,
} from "./schemas/tool-template.ts";
export {
  type CreateToolkit,
  createToolkitSchema,
  deleteToolkitQuerySchema,
  type ImportedToolkit,
  type ImportOperations,
  type InstalledToolkit,
  importedToolkitSchema,
  importOperationsSchema,
  installedToolkitSchema,
  type Toolkit,
  toolkitSchema,
  type UpdateToolkit,
  updateToolkitSchema,
} from "./schemas/toolkit.ts";
export {
  type Cost,
  costSchema,
  type TokenUsage,
  tokenUsageSchema,
  type Usage,
  usageSchema,
} from "./schemas/usage.ts";
export {
  toWarning,
  WARNING_TABLE,
  type Warning,
  type WarningCode,
  type WarningSeverity,
  warningSchema,
} from "./schemas/warning.ts";
export {
  type CreatedWorkspace,
  createdWorkspaceSchema,
  createWorkspaceSchema,
  type Endpoint,
  endpointSchema,
  type RotatedSigningSecret,
  rotatedSigningSecretSchema,
  rotateSigningSecretSchema,
  type SigningSecret,
  signingSecretSchema,
  updateWorkspaceSchema,
  type Workspace,
  workspaceSchema,
} from "./schemas/workspace.ts";
export {
  advanceWorkspaceToolSchema,
  type CreateWorkspaceTool,
  createWorkspaceToolSchema,
  DATABASE_SLOTS,
  type DraftRestToolDefinition,
  type LastTest,
  MAX_TEST_PREVIEW_BYTES,
  MAX_TOOL_SLOTS,
  type PreviewTool,
  previewToolSchema,
  type StoredWorkspaceTool,
  type TestWorkspaceTool,
  type ToolPreview,
  type ToolStatus,
  type ToolWarning,
  testWorkspaceToolSchema,
  toolPreviewSchema,
  toolStatusSchema,
  toToolWarning,
  type UpdateWorkspaceTool,
  updateWorkspaceToolSchema,
  type WorkspaceTool,
  type WorkspaceToolDefinition,
  type WorkspaceToolKind,
  type WorkspaceToolQuery,
  type WorkspaceToolTest,
  workspaceToolKindSchema,
  workspaceToolQuerySchema,
  workspaceToolSchema,
  workspaceToolTestSchema,
} from "./schemas/workspace-tool.ts";
export {
  type QuotaUsage,
  quotaUsageSchema,
  type WorkspaceUsage,
  workspaceUsageSchema,
} from "./schemas/workspace-usage.ts";
export { type SignedAnswer, signAnswer, verifyAnswerSignature } from "./signing/answer-signature.ts";
export { type SignedCallback, signCallback, verifyCallbackSignature } from "./signing/callback-signature.ts";
export { signDescribe, verifyDescribe } from "./signing/describe-signature.ts";
export { type SignedManifest, signManifest, verifyManifest } from "./signing/manifest-signature.ts";
export { secretFingerprint } from "./signing/secret-fingerprint.ts";
export { type AttemptSignatures, MAX_CALL_BODY_BYTES, sign, signAttempt } from "./signing/sign.ts";
export { SIGNATURE_HEADER } from "./signing/signed-text.ts";
export {
  generateSigningSecret,
  isSigningSecret,
  MAX_LIVE_SECRETS,
  parseSigningSecret,
} from "./signing/signing-keys.ts";
export {
  STANDARD_WEBHOOK_HEADERS,
  type StandardWebhook,
  type StandardWebhookHeaders,
  signStandardWebhook,
  verifyStandardWebhook,
} from "./signing/standard-webhook.ts";
export { DEFAULT_TOLERANCE_SECONDS } from "./signing/tolerance.ts";
export { verifySignature } from "./signing/verify-signature.ts";
export { removeInvisible, toVisibleLine, toVisibleText } from "./visible-text.ts";
