import {
  type CompleteToolDefinition,
  DEFAULT_NETWORK_TIMEOUT_MS,
  isComposedTool,
  type JsonObject,
  type JsonValue,
} from "@yagate/protocol";
import { toExecutableTool } from "./executable-tool.ts";
import type { ToolFailure } from "./port.ts";
import { refusalOf } from "./refusal.ts";
import { toolName } from "./tool-name.ts";
import { type ToolDependencies, toolOwner } from "./tool-owner.ts";

/** What a call outside of any execution came to. */
export interface ToolTest {
  readonly ok: boolean;
  /** Of the answer, where one came. */
  readonly httpStatus?: number;
  readonly durationMs: number;
  readonly result?: JsonValue;
  readonly error?: Pick<ToolFailure, "code" | "message" | "hint" | "details" | "outcome">;
}

/** Makes real calls of tools that nobody's agent has yet. */
export interface ToolTester {
  /**
   * Sends one request as a call of an execution would, once, whatever the tool says of retries and approval. Nothing is
   * recorded of it, and it costs nothing.
   *
   * @param test.parameters - as a model would give them.
   * @param test.others - composed tools that it delegates to.
   */
  test(test: {
    readonly workspaceId: string;
    readonly definition: CompleteToolDefinition;
    readonly parameters: JsonObject;
    readonly others?: readonly CompleteToolDefinition[];
    /** For the hosts of a tool that posts to webhooks. */
    readonly webhookUrls?: readonly string[];
    readonly signal?: AbortSignal;
  }): Promise<ToolTest>;
}

export interface ToolTesterOptions extends ToolDependencies {
  readonly newId: (kind: "execution" | "toolCall") => string;
}

export function createToolTester({ newId, ...dependencies }: ToolTesterOptions): ToolTester {
  const { now, argumentValidator } = dependencies;
  return {
    async test({ workspaceId, definition, parameters, others = [], webhookUrls = [], signal }) {
      const startedAt = performance.now();
      const policy = { network: true, approval: "never" } as const;
      const agent = { policy, credentials: [], webhookUrls: [...webhookUrls], integrations: ["webhook"] };
      const owner = toolOwner(agent, [definition, ...others.filter(isComposedTool)], dependencies);
      const tool = await toExecutableTool(definition, owner, dependencies);
      const name = toolName(definition);
      const refusal = refusalOf({ name, parameters }, new Map([[name, tool]]), argumentValidator);
      if (refusal !== undefined) return { ok: false, durationMs: 0, error: told(refusal) };
      const call = {
        ...{ workspaceId, agentId: "", name, parameters, attempt: 1 },
        ...{ executionId: newId("execution"), toolCallId: newId("toolCall") },
      };
      const { answer, exchange } = await tool.executor.execute(call, {
        deadline: now() + Math.min(tool.timeoutMs, DEFAULT_NETWORK_TIMEOUT_MS),
        signal: signal ?? new AbortController().signal,
        beforeSend: () => {},
      });
      const durationMs = exchange?.durationMs ?? performance.now() - startedAt;
      const known = { durationMs, ...(exchange?.httpStatus === undefined ? {} : { httpStatus: exchange.httpStatus }) };
      if ("failure" in answer) return { ok: false, ...known, error: told(answer.failure) };
      return { ok: true, ...known, result: "result" in answer ? answer.result : null };
    },
  };
}

function told({ code, message, hint, details, outcome }: ToolFailure): NonNullable<ToolTest["error"]> {
  return {
    code,
    message,
    ...(hint === undefined ? {} : { hint }),
    ...(details === undefined ? {} : { details }),
    outcome,
  };
}
