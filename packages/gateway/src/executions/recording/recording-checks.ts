import { listShapeProblems } from "@yagate/lib/json/json-shape";
import type { Agent, FieldError, Recording } from "@yagate/protocol";
import { InvalidRequestError } from "../../errors/request-errors.ts";
import type { LoadAgent } from "../run/loaded-agents.ts";
import { recordedAgentHash } from "./agent-hash.ts";
import { keyText } from "./outcome-key.ts";

/** Maximum nesting depth of a recording. */
const MAX_RECORDING_DEPTH = 64;
/** Maximum size of a recording, in characters of JSON. */
export const MAX_RECORDING_CHARACTERS = 3_145_728;

/** The checks of a recording that a caller supplies. */
export interface RecordingChecks {
  /** Returns why an agent cannot be executed with a recording; undefined if it can, or if there is no recording. */
  refusalOf(agent: Agent, recording: Recording | undefined): Promise<InvalidRequestError | undefined>;
}

export function createRecordingChecks(loadAgent: LoadAgent): RecordingChecks {
  return {
    async refusalOf(agent, recording) {
      if (recording === undefined) return undefined;
      const problems = [...shapeProblems(recording), ...outcomeProblems(recording)];
      if (problems.length > 0) return new InvalidRequestError(problems);
      if (recording.agent === undefined) return undefined;
      const { toolset } = await loadAgent({ agentId: agent.id, agentVersion: agent.version });
      if (recordedAgentHash(agent, toolset) === recording.agent.hash) return undefined;
      const { id, version } = recording.agent;
      const message = `the recording was made with version ${version} of ${id}, whose model, system prompt or tools differ from those of this agent; make a new recording, or omit recording.agent to use this one anyway`;
      const path = "recording.agent.hash";
      return new InvalidRequestError([{ path, code: "AGENT_CHANGED", message }], "CONFLICT", message);
    },
  };
}

function shapeProblems(recording: Recording): readonly FieldError[] {
  const limits = { maxDepth: MAX_RECORDING_DEPTH, maxCharacters: MAX_RECORDING_CHARACTERS };
  return listShapeProblems(recording, limits).map(({ path, code }) => ({
    path: `recording${path.replaceAll("/", ".")}`,
    code,
    message: SHAPE_MESSAGES[code],
  }));
}

const SHAPE_MESSAGES = {
  TOO_DEEP: `expected at most ${MAX_RECORDING_DEPTH} levels of nesting`,
  TOO_LARGE: `expected at most ${MAX_RECORDING_CHARACTERS} characters of JSON`,
  NOT_JSON: "expected JSON",
  FORBIDDEN_KEY: "expected another name",
} as const;

function outcomeProblems({ toolResults, modelTurns }: Recording): readonly FieldError[] {
  const errors: FieldError[] = [];
  const keys = new Set<string>();
  for (const [index, result] of toolResults.entries()) {
    const path = `recording.toolResults[${index}]`;
    if ((result.result === undefined) === (result.error === undefined)) {
      errors.push({ path, code: "INVALID_VALUE", message: "expected either result or error" });
    }
    if (keys.has(keyText(result))) {
      const message = "expected one outcome for a tool, its arguments and the occurrence";
      errors.push({ path, code: "DUPLICATE", message });
    }
    keys.add(keyText(result));
  }
  for (const [index, { error, ...reply }] of modelTurns.entries()) {
    if (error === undefined || Object.keys(reply).length === 0) continue;
    const path = `recording.modelTurns[${index}]`;
    errors.push({ path, code: "INVALID_VALUE", message: "expected no other field next to error" });
  }
  return errors;
}
