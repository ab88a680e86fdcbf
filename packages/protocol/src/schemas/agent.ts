import * as z from "zod";
import { composedToolSchema } from "./composed-tool.ts";
import { agentIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";
import { partialLimitsSchema, savedLimitsSchema } from "./limits.ts";
import { openDefinition, openKinds } from "./open-response.ts";
import { resourceNameSchema } from "./resource-name.ts";
import { restToolSchema } from "./rest-tool.ts";
import { agentRoutingSchema } from "./routing-rule.ts";
import { secretNameSchema } from "./secret.ts";
import { approvalModeSchema, toolKindSchema, untrustedModeSchema } from "./side-effect.ts";
import {
  builtinToolSchema,
  handlerToolSchema,
  intentReferenceSchema,
  toolDefinitionSchema,
  toolReferenceSchema,
  toolSourceReferenceSchema,
} from "./tool-definition.ts";
import { toolSearchChangeSchema, toolSearchSchema } from "./tool-search.ts";
import { warningSchema } from "./warning.ts";

/** Maximum number of tools per agent. */
export const MAX_TOOLS_PER_AGENT = 128;

/** Which calls of an agent's tools may run. */
export const agentPolicySchema = z
  .strictObject({
    /** Allows network tools. Default false. */
    network: z.boolean().default(false),
    /** Kinds of tools that may run. Default: all kinds. */
    toolKinds: z.array(toolKindSchema).optional(),
    approval: approvalModeSchema.default("destructive"),
    /**
     * Which additional calls need an approval after the model has read untrusted content. Agents saved by older
     * gateways lack this field; for them, `approve_writes` applies.
     */
    untrusted: untrustedModeSchema.optional(),
  })
  .meta({ id: "AgentPolicy" });

// No defaults here: a change to the policy that omits a field would replace the saved value with the default.
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
/** What the agent does, for people and for the models of MCP hosts. */
const description = z.string().max(4_096);
const tools = z.array(toolDefinitionSchema).max(MAX_TOOLS_PER_AGENT);

/**
 * Names of the integrations whose domains the agent's requests may reach; `webhook` enables the agent's webhook URLs.
 */
const integrations = z.array(resourceNameSchema).max(50);
/** Names of the workspace secrets that `api_call` may use. */
const credentials = z.array(secretNameSchema).max(50);
/** The URLs whose hosts the tool `webhook` may post to. */
const webhookUrls = z
  .array(z.url({ protocol: /^https?$/, error: "expected an https URL" }).max(2_048))
  .max(3, "expected at most 3 webhook URLs");

/** The body of `POST /v1/agents`. */
export const createAgentSchema = z
  .strictObject({
    name,
    description: description.optional(),
    /** Whether MCP hosts may execute the agent as a tool. Default false. */
    exposed: z.boolean().optional(),
    model,
    systemPrompt: systemPrompt.default(""),
    tools: tools.default([]),
    limits: partialLimitsSchema.optional(),
    integrations: integrations.optional(),
    credentials: credentials.optional(),
    webhookUrls: webhookUrls.optional(),
    policy: policyChange.optional(),
    toolSearch: toolSearchSchema.optional(),
    routing: agentRoutingSchema.optional(),
  })
  .meta({ id: "CreateAgent" });

/** The body of `PATCH /v1/agents/:id`. If `version` is set, it must be the current version. */
export const updateAgentSchema = z
  .strictObject({
    version: z.int().min(1).optional(),
    name: name.optional(),
    description: description.optional(),
    exposed: z.boolean().optional(),
    model: model.optional(),
    systemPrompt: systemPrompt.optional(),
    tools: tools.optional(),
    limits: partialLimitsSchema.optional(),
    integrations: integrations.optional(),
    credentials: credentials.optional(),
    webhookUrls: webhookUrls.optional(),
    policy: policyChange.optional(),
    toolSearch: toolSearchChangeSchema.optional(),
    /** Replaces the saved value; null removes it. */
    routing: agentRoutingSchema.nullable().optional(),
  })
  .meta({ id: "UpdateAgent" });

// Saved definitions are parsed loosely: a newer gateway may add fields, and an older client must still accept them.
const savedToolSchema = openKinds(
  z.union([
    z.looseObject(builtinToolSchema.shape),
    z.looseObject(handlerToolSchema.shape),
    z.looseObject(composedToolSchema.shape),
    z.looseObject(restToolSchema.shape),
    z.looseObject(toolReferenceSchema.shape),
    z.looseObject(toolSourceReferenceSchema.shape),
    z.looseObject(intentReferenceSchema.shape),
  ]),
  ["builtin", "handler", "implementation", "rest", "tool", "source", "intent"],
);

/** One version of an agent. */
export const agentSchema = openDefinition(
  z.looseObject({
    id: agentIdSchema,
    version: z.int().min(1),
    name: z.string(),
    /** Like `exposed`, absent in agents that older gateways saved. */
    description: z.string().optional(),
    exposed: z.boolean().optional(),
    model: z.string(),
    systemPrompt: z.string(),
    tools: z.array(savedToolSchema),
    limits: savedLimitsSchema,
    integrations: z.array(z.string()),
    credentials: z.array(z.string()),
    webhookUrls: z.array(z.string()),
    policy: z.looseObject(agentPolicySchema.shape),
    /** Absent if the agent has no routing. */
    routing: z.looseObject(agentRoutingSchema.shape).optional(),
    /** Absent if the agent does not defer tools. */
    toolSearch: z.looseObject(toolSearchSchema.shape).optional(),
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
    /** Only in responses to requests that save the agent. */
    warnings: z.array(warningSchema).optional(),
  }),
).meta({ id: "Agent" });

export type CreateAgent = z.input<typeof createAgentSchema>;
export type UpdateAgent = z.input<typeof updateAgentSchema>;
export type Agent = z.infer<typeof agentSchema>;
export type AgentPolicy = z.infer<typeof agentPolicySchema>;
