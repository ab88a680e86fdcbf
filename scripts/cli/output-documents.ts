import { evalReportSchema } from "@yagate/evals";
import {
  agentSchema,
  apiKeySchema,
  approvalSchema,
  auditEntrySchema,
  capabilitySchema,
  createdApiKeySchema,
  createdWorkspaceSchema,
  endpointSchema,
  executionSchema,
  fieldErrorSchema,
  importedToolkitSchema,
  importOperationsSchema,
  inputRequestSchema,
  installedToolkitSchema,
  integrationSchema,
  intentSchema,
  providerSchema,
  receiptSchema,
  receivedEventSchema,
  redeliverySchema,
  rotatedSigningSecretSchema,
  routePreviewSchema,
  secretSchema,
  signingSecretSchema,
  sourceToolDetailSchema,
  startedLoginSchema,
  textDeltaSchema,
  toolCallRecordSchema,
  toolCallSummarySchema,
  toolChangeSchema,
  toolkitSchema,
  toolPreviewSchema,
  toolSourceSchema,
  toolSourceTestSchema,
  toolTemplateSummarySchema,
  workspaceSchema,
  workspaceToolSchema,
  workspaceToolTestSchema,
  workspaceUsageSchema,
} from "@yagate/protocol";
import { z } from "zod";

const text = z.string();
const texts = z.array(text);
const executionWithToolCalls = z.intersection(
  executionSchema,
  z.looseObject({ toolCalls: z.array(toolCallRecordSchema) }),
);
const field = z.looseObject({ path: text, message: text });
const described = z.looseObject({ id: text, group: text, level: text, title: text });
const parameter = z.looseObject({ name: text, text });
const option = z.looseObject({ flags: text, text, isRepeatable: z.boolean(), isRequired: z.boolean() });

const describedCommand = z.looseObject({
  command: text,
  usage: text,
  summary: text,
  group: text.optional(),
  arguments: z.array(parameter),
  options: z.array(option),
  examples: texts,
  notes: texts,
  scopes: texts,
  exitStatuses: z.record(text, text),
  output: z.looseObject({ $ref: text, isStream: z.boolean() }).nullable(),
  docs: text,
  commands: z.array(z.looseObject({ command: text })),
});

const verifyReport = z.looseObject({
  accepted: z.boolean(),
  code: text.optional(),
  reason: text.optional(),
  faults: z.array(field).optional(),
  causes: z.array(z.looseObject({ id: text, cause: text, advice: text })).optional(),
  isCauseProven: z.boolean().optional(),
  secret: text.optional(),
  entry: z.int().optional(),
  entries: z.int(),
  bodyBytes: z.int(),
  call: z
    .looseObject({ toolCallId: text, name: text, attempt: z.int(), timestamp: text, audience: text.optional() })
    .optional(),
  ageSeconds: z.int().optional(),
  judgedAt: text.optional(),
  toleranceSeconds: z.number(),
  isAgeJudged: z.boolean(),
  isAudienceJudged: z.boolean(),
  notes: texts,
});

const conformanceReport = z.looseObject({
  target: text,
  tool: text,
  startedAt: text,
  tookMs: z.number(),
  runsSeenBy: text,
  notes: texts,
  summary: z.looseObject({
    passed: z.int(),
    requiredFailed: z.int(),
    recommendedFailed: z.int(),
    requiredNotJudged: z.int(),
    recommendedNotJudged: z.int(),
    notAsked: z.int(),
  }),
  conforms: z.boolean(),
  cases: z.array(
    described.extend({
      outcome: text,
      reason: text.optional(),
      remark: text.optional(),
      advice: text.optional(),
      tookMs: z.number(),
    }),
  ),
});

const importDifference = z.looseObject({
  type: z.literal("import_difference"),
  tools: z.array(
    z.looseObject({
      name: text,
      toolId: text,
      toolkitId: text.nullable(),
      isSame: z.boolean(),
      message: text,
      source: text.nullable(),
    }),
  ),
  source: text.nullable(),
  commands: z.array(text),
});
const egressDecision = z.looseObject({
  allowed: z.boolean(),
  code: text.optional(),
  message: text.optional(),
  handlerMessage: text.optional(),
  url: z.looseObject({ protocol: text, hostname: text, port: z.int(), path: text }).optional(),
  steps: z.array(z.looseObject({ step: text, passed: z.boolean(), detail: text })),
  addresses: z.array(z.looseObject({ address: text, family: z.int(), verdict: text, why: text })),
  policy: z.looseObject({
    allowCidrs: texts,
    denyCidrs: texts,
    allowPorts: z.array(z.int()),
    allowedDomains: texts.nullable(),
    workspace: text,
  }),
});

/** The documents that `--json` prints, by the names that commands give them; and the error of every command. */
export const OUTPUT_DOCUMENTS: Readonly<Record<string, readonly [description: string, schema: z.ZodType]>> = {
  Agent: ["An agent.", agentSchema],
  AgentList: ["Agents, newest first.", z.array(agentSchema)],
  ApiKey: ["An API key, without its text.", apiKeySchema],
  ApiKeyList: ["API keys, without their texts.", z.array(apiKeySchema)],
  Approval: ["An approval.", approvalSchema],
  ApprovalList: ["Approvals, newest first.", z.array(approvalSchema)],
  InputRequest: ["The questions of a tool call.", inputRequestSchema],
  InputRequestList: ["The latest questions of tool calls, newest calls first.", z.array(inputRequestSchema)],
  AuditEntry: ["A line: one change.", auditEntrySchema],
  Backup: [
    "A copy of a data directory.",
    z.looseObject({ dataDir: text, folder: text, journalBytes: z.int(), hasMasterKey: z.boolean() }),
  ],
  CommandTree: [
    "All commands, or one of them, or a topic of yagate help.",
    z.union([
      z.looseObject({
        name: text,
        version: text,
        globalOptions: z.array(option),
        exitStatuses: z.record(text, text),
        commands: z.array(describedCommand),
      }),
      describedCommand,
      z.looseObject({}),
    ]),
  ],
  Completion: ["A completion script.", z.looseObject({ shell: text, script: text })],
  ConformanceReport: [
    "A report; with --list the cases, with --explain one of them.",
    z.union([conformanceReport, z.looseObject({ cases: z.array(described) }), described.extend({ advice: text })]),
  ],
  CreatedApiKey: ["An API key with its text.", createdApiKeySchema],
  CreatedWorkspace: ["A workspace with its first signing secret.", createdWorkspaceSchema],
  Deletion: [
    "What was deleted, or archived.",
    z.looseObject({
      type: text,
      id: text.optional(),
      name: text.optional(),
      deleted: z.boolean().optional(),
      archived: z.boolean().optional(),
    }),
  ],
  EgressDecision: ["A decision, step by step.", egressDecision],
  Endpoint: ["A handler URL.", endpointSchema],
  EndpointList: ["Handler URLs, newest first.", z.array(endpointSchema)],
  EvalFiles: ["The files that were written.", z.looseObject({ case: text, cassette: text })],
  EvalReport: ["The result of eval cases.", evalReportSchema],
  Execution: ["An execution; yagate executions list prints one a line.", executionSchema],
  ExecutionResult: [
    "An execution that has ended, with its tool calls.",
    z.intersection(executionWithToolCalls, z.looseObject({ fallbackErrors: z.array(z.looseObject({})) })),
  ],
  ExecutionWithToolCalls: ["An execution with its tool calls.", executionWithToolCalls],
  GatewayProcess: [
    "A line: where the gateway listens, an event of an execution, a change of the tools of a source, a request that failed, and later that the gateway stops. The log of the gateway goes to standard output too, as JSON with other fields.",
    z.looseObject({
      type: text.optional(),
      url: text.optional(),
      data: text.optional(),
      apiKey: text.optional(),
      signingSecret: text.optional(),
      event: z.looseObject({ type: text, executionId: text }).optional(),
      report: z.looseObject({ type: text, source: z.looseObject({ id: text, name: text }) }).optional(),
      request: z.looseObject({ method: text, path: text, status: z.int(), code: text }).optional(),
    }),
  ],
  ImportOrOperations: [
    "The toolkit that was created; with --list the operations of the document; or how existing tools with the names of the operations differ from them.",
    z.union([importedToolkitSchema, importOperationsSchema, importDifference]),
  ],
  InstalledToolkit: ["A toolkit and its tools.", installedToolkitSchema],
  Capability: ["A capability.", capabilitySchema],
  CapabilityList: ["Capabilities by key.", z.array(capabilitySchema)],
  Intent: ["An intent.", intentSchema],
  IntentList: ["Intents by name.", z.array(intentSchema)],
  Integration: ["An integration.", integrationSchema],
  IntegrationList: ["Integrations by name.", z.array(integrationSchema)],
  Login: ["The profile that was saved.", z.looseObject({ profile: text, url: text, file: text })],
  McpMessage: [
    "A message of the Model Context Protocol (JSON-RPC 2.0), with and without --json.",
    z.looseObject({ jsonrpc: z.literal("2.0") }),
  ],
  Migration: [
    "The state of a database.",
    z.looseObject({ database: text, schemaVersion: z.int(), appliedSteps: z.int(), isFinished: z.boolean() }),
  ],
  Problem: [
    "An error: the last line of standard error. The status is that of HTTP.",
    z.looseObject({
      type: text,
      title: text,
      status: z.int(),
      detail: text,
      code: text,
      hint: text,
      docs: text,
      requestId: text.optional(),
      cause: text.optional(),
      errors: z.array(fieldErrorSchema).optional(),
    }),
  ],
  Provider: ["A model provider of the workspace, without its key.", providerSchema],
  ProviderList: ["Model providers by name.", z.array(providerSchema)],
  RoutePreview: ["Which capabilities would serve an execution.", routePreviewSchema],
  Receipt: ["A receipt.", receiptSchema],
  Redelivery: ["A redelivery and what the handler returned.", redeliverySchema],
  RotatedSigningSecret: ["A new signing secret with its value.", rotatedSigningSecretSchema],
  SentCall: [
    "The response of the handler.",
    z.looseObject({ url: text, status: z.int(), durationMs: z.number(), body: text }),
  ],
  ReceiptVerdict: [
    "Whether a receipt is genuine.",
    z.union([
      z.looseObject({ verified: z.literal(true), kid: text, keySet: text }),
      z.looseObject({
        verified: z.literal(false),
        problem: z.looseObject({ code: text, message: text, seq: z.int().optional() }),
      }),
    ]),
  ],
  Secret: ["A secret, without its value.", secretSchema],
  SecretList: ["Secrets, without their values.", z.array(secretSchema)],
  SigningSecretList: ["Signing secrets by name, without their values.", z.array(signingSecretSchema)],
  StreamEvent: [
    "A line: an event of an execution, or a piece of text.",
    z.union([receivedEventSchema, textDeltaSchema]),
  ],
  Tool: ["A tool of the workspace.", workspaceToolSchema],
  ToolList: ["Tools, newest first.", z.array(workspaceToolSchema)],
  ToolOrTest: ["A tool; with --test its last test.", z.union([workspaceToolSchema, workspaceToolTestSchema])],
  ToolPreview: ["The request that a call would send.", toolPreviewSchema],
  ToolCallRecord: ["A tool call with its attempts.", toolCallRecordSchema],
  ToolCallSummary: ["A line: a tool call.", toolCallSummarySchema],
  ToolChangeList: [
    "Tools whose published definition differs from the accepted one, by name.",
    z.array(toolChangeSchema),
  ],
  ToolSource: ["A tool source with its tools.", toolSourceSchema],
  ToolSourceTest: ["What a tool source publishes now, and what a sync would change.", toolSourceTestSchema],
  ToolSourceLogin: [
    "A sign-in that a person continues in a browser; on a terminal and with --code, the tool source afterwards.",
    z.union([toolSourceSchema, startedLoginSchema]),
  ],
  ToolSourceOrTool: [
    "A tool source with its tools; if a tool is named, this tool with its definitions.",
    z.union([toolSourceSchema, sourceToolDetailSchema]),
  ],
  ToolSourceList: ["Tool sources without their tools, newest first.", z.array(toolSourceSchema)],
  ToolTemplateList: ["Templates of toolkits.", z.array(toolTemplateSummarySchema)],
  Toolkit: ["A toolkit and its tools.", toolkitSchema],
  ToolkitList: ["Toolkits, newest first.", z.array(toolkitSchema)],
  VerifyReport: ["The judgement of a saved request.", verifyReport],
  Version: ["The version of this command.", z.looseObject({ version: text, node: text, platform: text, arch: text })],
  Workspace: ["A workspace.", workspaceSchema],
  WorkspaceList: ["Workspaces.", z.array(workspaceSchema)],
  WorkspaceUsage: ["How much of its quotas a workspace uses.", workspaceUsageSchema],
};
