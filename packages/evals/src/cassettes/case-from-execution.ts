import type { Yagate } from "@yagate/client";
import { defined } from "@yagate/lib/objects/defined";
import { argumentsHash, jsonObjectSchema, type Recording, type Script, scriptSchema } from "@yagate/protocol";
import { stringify } from "yaml";
import type { CaseDefinition } from "../cases/case-schema.ts";
import type { Cassette } from "./cassette.ts";

/** The model that plays a script; without a script, it can't be executed. */
const SCRIPTED_TURNS = "scripted/turns";
/** The input of a case whose execution was exported without its input. */
export const INPUT_PLACEHOLDER = "(the input is not part of the recording)";

export interface FromExecutionOptions {
  /** Default: the id of the execution. */
  readonly caseId?: string | undefined;
  /** Whether the case and the cassette contain the input, the caller and the metadata. Default: false. */
  readonly withInput?: boolean | undefined;
}

/** A case that expects what an execution did, and the cassette from which it runs. */
export interface CaseFromExecution {
  /** The case as YAML. */
  readonly yaml: string;
  readonly cassette: Cassette;
}

/**
 * Creates a case from an ended execution: the case expects the same calls, in the same order, and the same status.
 *
 * @throws ApiError `NOT_FOUND`, `CONFLICT` for an execution that has not ended.
 */
export async function caseFromExecution(
  client: Yagate,
  executionId: string,
  { caseId = executionId, withInput = false }: FromExecutionOptions = {},
): Promise<CaseFromExecution> {
  const include = withInput ? (["input", "caller", "metadata"] as const) : [];
  const [execution, exported] = await Promise.all([
    client.executions.get(executionId),
    client.executions.recording(executionId, { include }),
  ]);
  const { recording, input, caller, metadata } = exported;
  const agent = await client.agents.get(execution.agentId);
  // The arguments of the recording, in which secrets are masked.
  const calls = recording.modelTurns.flatMap(({ toolCalls = [] }) => toolCalls);
  const { status } = execution;
  const script = agent.model === SCRIPTED_TURNS ? scriptOf(recording) : undefined;
  const definition: CaseDefinition = {
    ...{ case_id: caseId, agent: agent.name, input: input ?? INPUT_PLACEHOLDER },
    ...defined({ expected_status: (["failed", "cancelled"] as const).find((one) => one === status) }),
    // Arguments that were not valid JSON are a text, which a case cannot expect.
    expected_calls: calls.map(({ name, parameters }) => {
      const given = jsonObjectSchema.safeParse(parameters).data;
      return { name, ...defined({ arguments: given }) };
    }),
    order: "strict",
    ...defined({ caller, metadata, script }),
  };
  return {
    yaml: stringify(definition, { aliasDuplicateObjects: false }),
    cassette: {
      ...{ version: 1, caseId, recordedAt: new Date().toISOString(), recording, judgements: [] },
      ...(script === undefined ? {} : { scriptHash: await argumentsHash(script) }),
      ...defined({ input, caller, metadata }),
    },
  };
}

/** Returns a script that plays the model turns of a recording, so the case can also run live and be recorded again. */
function scriptOf({ modelTurns }: Recording): Script | undefined {
  const turns = modelTurns
    .filter(({ error }) => error === undefined)
    .map(({ text, toolCalls, finishReason }) => ({
      ...(text === undefined || text === "" ? {} : { text }),
      ...defined({ toolCalls }),
      ...(finishReason === "length" ? { finishReason } : {}),
    }));
  return scriptSchema.safeParse({ turns }).data;
}
