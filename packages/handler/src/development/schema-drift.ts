import { schemaHash, type ToolCall } from "@yagate/protocol/calls";
import { toJsonSchema } from "../describe/describe-tool.ts";
import type { Logger } from "../logger.ts";
import type { Tool } from "../tool.ts";

/** Checks the schema of a tool against one call. The call does not wait for the check, which never rejects. */
export type SchemaDriftCheck = (tool: Tool, call: ToolCall) => Promise<void>;

/**
 * Creates a check that warns if the schema that the gateway saved for a tool differs from the tool's own schema. The
 * check rejects no calls, and warns once for each tool and saved schema.
 */
export function createSchemaDriftCheck(logger: Logger): SchemaDriftCheck {
  const seen = new Set<string>();
  return async (tool, call) => {
    if (call.schemaHash === undefined || seen.has(`${tool.name} ${call.schemaHash}`)) return;
    seen.add(`${tool.name} ${call.schemaHash}`);
    await warnOnDrift(tool, call.schemaHash, logger);
  };
}

async function warnOnDrift(tool: Tool, savedHash: string, logger: Logger): Promise<void> {
  try {
    if ((await schemaHash(toJsonSchema(tool.parameters, tool.name))) === savedHash) return;
    logger.warn(
      "the parameters that the gateway saved for this tool differ from those in the handler: update the agent",
      {
        tool: tool.name,
      },
    );
  } catch {
    // JSON Schema cannot express this schema, so the saved one was written by hand and cannot be compared.
  }
}
