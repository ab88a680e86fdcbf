import type { JsonObject, JsonValue } from "@yagate/protocol";
import type { NetworkLimits } from "../policy/rate-limits/call-limits.ts";
import type { McpServer, OpenEndpoint } from "./endpoint.ts";
import type { EraVerdicts } from "./era-verdicts.ts";

/** An accepted tool of an MCP server. */
export interface McpTool {
  /** The name that the server publishes and that calls contain. */
  readonly name: string;
  /** The hash of the accepted definition. */
  readonly hash: string;
  /** The accepted JSON Schema of the arguments. */
  readonly parameters: JsonObject;
  /** The accepted JSON Schema of structured results; undefined if the tool declares none. */
  readonly outputSchema?: JsonObject | undefined;
  readonly server: McpServer;
  /** The tool source. */
  readonly source: { readonly id: string; readonly name: string };
}

/** What the calls of MCP tools need from other parts of the gateway. */
export interface McpServices {
  readonly openEndpoint: OpenEndpoint;
  readonly verdicts: EraVerdicts;
  readonly limits: NetworkLimits;
  /**
   * Checks a structured result, in an isolated thread. Returns why it cannot be used; undefined if it matches.
   *
   * @param schema - a schema from the server, which may be hostile.
   */
  readonly outputProblem: (
    schema: JsonObject,
    value: JsonValue,
    context: { readonly workspaceId: string; readonly signal: AbortSignal },
  ) => Promise<string | undefined>;
  /** Returns the current time in ms since the epoch. */
  readonly now: () => number;
  /** Whether the gateway records spans. */
  readonly isTraceRecorded: () => boolean;
}
