import type { NewId } from "@yagate/lib/ids/ids";
import { defined } from "@yagate/lib/objects/defined";
import { DEFAULT_CALLBACK_EXPIRY_MS, type JsonObject, type JsonValue } from "@yagate/protocol";
import type { ToolTestError } from "@yagate/store/port";
import type { ArgumentValidator } from "@yagate/tool-definitions/arguments/argument-validator";
import type { ToolOutcome } from "../tools/port.ts";
import { assertArguments } from "./arguments-check.ts";
import type { CompleteWorkspaceDefinition } from "./complete-definition.ts";
import type { MakeSoleTool } from "./sole-tool.ts";

/** The outcome of a test call. */
export interface ToolTestOutcome {
  readonly ok: boolean;
  /** HTTP status of the response; null if there was none. */
  readonly httpStatus: number | null;
  readonly durationMs: number;
  /** The result, or the details of a failure. Secrets are redacted. */
  readonly response: JsonValue;
  readonly error: ToolTestError | null;
}

/** A test that is ready to run. */
export interface PreparedTest {
  /** The HTTP method; null if the tool runs inside the gateway. */
  readonly method: string | null;
  run(signal: AbortSignal): Promise<ToolTestOutcome>;
}

/**
 * Prepares a test of a complete definition.
 * @throws InvalidRequestError for arguments that the tool rejects.
 */
export type PrepareTest = (
  workspaceId: string,
  definition: CompleteWorkspaceDefinition,
  parameters: JsonObject,
) => Promise<PreparedTest>;

export interface ToolTesterOptions {
  readonly makeTool: MakeSoleTool;
  readonly argumentValidator: ArgumentValidator;
  readonly now: () => number;
  readonly newId: NewId;
}

/**
 * Creates the function that tests a tool with one real attempt. The attempt is sent like an attempt of an agent's tool
 * call, but belongs to no execution.
 */
export function createToolTester(options: ToolTesterOptions): PrepareTest {
  const { makeTool, argumentValidator, now, newId } = options;
  return async (workspaceId, definition, parameters) => {
    const { agent, tool, toolset } = await makeTool(definition);
    assertArguments(argumentValidator, { tool, toolset }, parameters);
    return {
      method: tool.targetOf?.(parameters).method ?? null,
      async run(signal) {
        const startedAt = now();
        const call = {
          ...{ workspaceId, agentId: agent.id, executionId: newId("execution"), toolCallId: newId("toolCall") },
          ...{ name: tool.name, parameters, attempt: 1 },
        };
        const callback = { issuedAt: startedAt, expiresAt: startedAt + DEFAULT_CALLBACK_EXPIRY_MS };
        const outcome = await tool.executor.execute(call, {
          ...{ deadline: startedAt + tool.timeoutMs, signal },
          ...(tool.handler?.async === true ? { callback } : {}),
          beforeSend: () => undefined,
        });
        return toTestOutcome(outcome, now() - startedAt);
      },
    };
  };
}

function toTestOutcome({ answer, exchange }: ToolOutcome, elapsedMs: number): ToolTestOutcome {
  const common = {
    httpStatus: exchange?.httpStatus ?? null,
    durationMs: Math.round(exchange?.durationMs ?? elapsedMs),
  };
  if ("failure" in answer) {
    const { code, message, hint, developerMessage, details = null } = answer.failure;
    const error = {
      ...{ code, message },
      ...defined({ hint, developerMessage }),
    };
    return { ...common, ok: false, response: details, error };
  }
  const response = "result" in answer ? answer.result : { pending: true };
  return { ...common, ok: true, response, error: null };
}
