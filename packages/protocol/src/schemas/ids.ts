import * as z from "zod";
import { sourceReferenceFor } from "./source-reference-for.ts";

/**
 * Prefixes of ids. Only the gateway creates ids. An id is a TypeID: a prefix and a UUIDv7, so ids sort by their
 * creation time. The ids of tool calls and attempts have 8 more characters.
 */
export const ID_PREFIXES = {
  workspace: "ws",
  apiKey: "key",
  agent: "agt",
  execution: "exec",
  toolCall: "tc",
  attempt: "att",
  approval: "apr",
  tool: "tool",
  toolkit: "kit",
  artifact: "art",
  signingSecret: "sec",
  endpoint: "ep",
  auditEntry: "aud",
  describeRequest: "dsc",
  toolSource: "src",
  intent: "int",
} as const;

/** A kind of resource that has ids. */
export type IdKind = keyof typeof ID_PREFIXES;

// Only the prefix is checked, because a later gateway may create ids in another format.
const idSchema = <Prefix extends string>(prefix: Prefix, remedyFor: (input: unknown) => string = () => "") =>
  z
    .string()
    .regex(new RegExp(`^${prefix}_[0-9A-Za-z_-]{1,120}$`), {
      error: ({ input }) => `expected an id that starts with ${prefix}_${remedyFor(input)}`,
    })
    .describe(`id with the prefix ${prefix}_`);

export const workspaceIdSchema = idSchema(ID_PREFIXES.workspace);
export const apiKeyIdSchema = idSchema(ID_PREFIXES.apiKey);
export const agentIdSchema = idSchema(ID_PREFIXES.agent);
export const executionIdSchema = idSchema(ID_PREFIXES.execution);
export const toolCallIdSchema = idSchema(ID_PREFIXES.toolCall);
export const attemptIdSchema = idSchema(ID_PREFIXES.attempt);
export const approvalIdSchema = idSchema(ID_PREFIXES.approval);
export const toolIdSchema = idSchema(ID_PREFIXES.tool);
/**
 * The id of a workspace tool in an agent. The error for a name such as `orders.lookup` says how to refer to a source's
 * tool.
 */
export const listedToolIdSchema = idSchema(ID_PREFIXES.tool, sourceReferenceFor);
export const toolkitIdSchema = idSchema(ID_PREFIXES.toolkit);
export const artifactIdSchema = idSchema(ID_PREFIXES.artifact);
export const signingSecretIdSchema = idSchema(ID_PREFIXES.signingSecret);
export const auditEntryIdSchema = idSchema(ID_PREFIXES.auditEntry);
export const endpointIdSchema = idSchema(ID_PREFIXES.endpoint);
export const describeRequestIdSchema = idSchema(ID_PREFIXES.describeRequest);
export const toolSourceIdSchema = idSchema(ID_PREFIXES.toolSource);
export const intentIdSchema = idSchema(ID_PREFIXES.intent);
