import * as z from "zod";
import { composedToolSchema } from "./composed-tool.ts";
import { agentIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";
import { partialLimitsSchema, savedLimitsSchema } from "./limits.ts";
import { resourceNameSchema } from "./names.ts";
import { openDefinition, openKinds } from "./open-response.ts";
import { restToolSchema } from "./rest-tool.ts";
import { secretNameSchema } from "./secret.ts";
import { approvalModeSchema, toolKindSchema, untrustedModeSchema } from "./side-effect.ts";
import { builtinToolSchema, handlerToolSchema, toolDefinitionSchema, toolReferenceSchema } from "./tool-definition.ts";
import { warningSchema } from "./warning.ts";

/** Maximum number of tools of one agent. */
export const MAX_TOOLS_PER_AGENT = 128;

/** Which calls of an agent's tools may run. */
export const agentPolicySchema = z
  .strictObject({
    /** Allows network tools. Default false. */
    network: z.boolean().default(false),
    /** The only kinds of tools that may run. Default: all. */
    toolKinds: z.array(toolKindSchema).optional(),
    approval: approvalModeSchema.default("destructive"),
    /**
     * Which calls need an approval after the model has read untrusted content, in addition to `approval`. Absent, as in
     * agents that older gateways saved: `approve_writes`.
     */
    untrusted: untrustedModeSchema.optional(),
  })
  .meta({ id: "AgentPolicy" });

// Without defaults: one in here would undo, with every change of the policy, what was saved before.
const policyChange = z
  .strictObject({
    network: z.boolean(),
    toolKinds: z.array(toolKindSchema),
    approval: approvalModeSchema,
    untrusted: untrustedModeSchema,
  })
  .partial();

const name = z.string().trim().min(1).max(200);
const model = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,199}$/, "expected a model name such as openai/gpt-5 or scripted/keyword");
const systemPrompt = z.string().max(100_000);
const tools = z.array(toolDefinitionSchema).max(MAX_TOOLS_PER_AGENT);

/** Names of integrations whose domains requests may reach; `webhook` enables the webhook URLs. */
const integrations = z.array(resourceNameSchema).max(50);
/** Names of workspace secrets that `api_call` may send. */
const credentials = z.array(secretNameSchema).max(50);
/** URLs to whose hosts the tool `webhook` may post. */
const webhookUrls = z
  .array(z.url({ protocol: /^https?$/, error: "expected an https URL" }).max(2_048))
  .max(3, "expected at most 3 webhook URLs");

/** The body of `POST /v1/agents`. */
export const createAgentSchema = z
  .strictObject({
    name,
    model,
    systemPrompt: systemPrompt.default(""),
    tools: tools.default([]),
    limits: partialLimitsSchema.optional(),
    integrations: integrations.optional(),
    credentials: credentials.optional(),
    webhookUrls: webhookUrls.optional(),
    policy: policyChange.optional(),
  })
  .meta({ id: "CreateAgent" });

/** The body of `PATCH /v1/agents/:id`. If `version` is given, it must be the current one. */
export const updateAgentSchema = z
  .strictObject({
    version: z.int().min(1).optional(),
    name: name.optional(),
    model: model.optional(),
    systemPrompt: systemPrompt.optional(),
    tools: tools.optional(),
    limits: partialLimitsSchema.optional(),
    integrations: integrations.optional(),
    credentials: credentials.optional(),
    webhookUrls: webhookUrls.optional(),
    policy: policyChange.optional(),
  })
  .meta({ id: "UpdateAgent" });

// What was saved comes back loose: a newer gateway may add fields, which is no reason for an older client to fail.
const savedToolSchema = openKinds(
  z.union([
    z.looseObject(builtinToolSchema.shape),
    z.looseObject(handlerToolSchema.shape),
    z.looseObject(composedToolSchema.shape),
    z.looseObject(restToolSchema.shape),
    z.looseObject(toolReferenceSchema.shape),
  ]),
  ["builtin", "handler", "implementation", "rest", "tool"],
);

/** An agent, in one version. */
export const agentSchema = openDefinition(
  z.looseObject({
    id: agentIdSchema,
    version: z.int().min(1),
    name: z.string(),
    model: z.string(),
    systemPrompt: z.string(),
    tools: z.array(savedToolSchema),
    limits: savedLimitsSchema,
    integrations: z.array(z.string()),
    credentials: z.array(z.string()),
    webhookUrls: z.array(z.string()),
    policy: z.looseObject(agentPolicySchema.shape),
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
    /** Only in responses to saving. */
    warnings: z.array(warningSchema).optional(),
  }),
).meta({ id: "Agent" });

export type CreateAgent = z.input<typeof createAgentSchema>;
export type UpdateAgent = z.input<typeof updateAgentSchema>;
export type Agent = z.infer<typeof agentSchema>;
export type AgentPolicy = z.infer<typeof agentPolicySchema>;
