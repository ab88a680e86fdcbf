import {
  agentIdSchema,
  executionModeSchema,
  executionStatusSchema,
  momentSchema,
  stopReasonSchema,
  toolNameSchema,
} from "@yagate/protocol";
import type { ExecutionFilter } from "@yagate/store/port";
import * as z from "zod";
import { idPageQuerySchema } from "./paging.ts";

/** Maximum number of metadata filters in one request. */
const MAX_METADATA_FILTERS = 8;
const METADATA_PREFIX = "metadata.";

/** The query parameters of `GET /v1/executions`. An execution must match every filter. */
export const executionQuerySchema = idPageQuerySchema
  .extend({
    status: executionStatusSchema.optional(),
    /** Matches executions of the agent with this id. */
    agent: agentIdSchema.optional(),
    /** Matches executions that failed with this error code, such as `MODEL_ERROR`. */
    code: z
      .string()
      .regex(/^[A-Za-z0-9_.-]{1,64}$/, "expected an error code such as MODEL_ERROR")
      .optional(),
    /** Matches executions that ended for this reason, such as `truncated` or the name of a limit. */
    stopReason: stopReasonSchema.optional(),
    /** `recorded`: matches executions that sent nothing. `live`: matches the others. */
    mode: executionModeSchema.optional(),
    /** Matches executions that have called the tool with this name. */
    tool: toolNameSchema.optional(),
    /** Matches executions that were created at this time or later. */
    since: momentSchema.optional(),
    /** Matches executions that were created before this time. */
    until: momentSchema.optional(),
  })
  // `metadata.<name>=<value>` matches strings at the top level of the metadata.
  .loose()
  .superRefine((query, context) => {
    const refuse = (name: string, message: string) => context.addIssue({ code: "custom", path: [name], message });
    const others = Object.entries(query).filter(([name]) => !KNOWN_FILTERS.has(name));
    for (const [name, value] of others) {
      if (!name.startsWith(METADATA_PREFIX) || name === METADATA_PREFIX) {
        refuse(
          name,
          "expected limit, cursor, status, agent, code, stopReason, mode, tool, since, until or metadata.<name>",
        );
      } else if (typeof value !== "string") refuse(name, "expected one value");
    }
    if (others.length > MAX_METADATA_FILTERS) {
      refuse("metadata", `expected at most ${MAX_METADATA_FILTERS} metadata filters`);
    }
  });

const KNOWN_FILTERS: ReadonlySet<string> = new Set([
  ...["limit", "cursor", "status", "agent", "code", "stopReason", "mode", "tool", "since", "until"],
]);

/** Converts a validated query to the filter of the store. */
export function toExecutionFilter(query: z.output<typeof executionQuerySchema>): ExecutionFilter {
  const { status, agent: agentId, code: errorCode, stopReason, mode, tool, since, until } = query;
  const metadata = Object.entries(query).flatMap(([name, value]) =>
    name.startsWith(METADATA_PREFIX) && typeof value === "string"
      ? [{ name: name.slice(METADATA_PREFIX.length), value }]
      : [],
  );
  return {
    ...{ status, agentId, errorCode, stopReason, mode, tool, metadata },
    since: since === undefined ? undefined : Date.parse(since),
    until: until === undefined ? undefined : Date.parse(until),
  };
}
