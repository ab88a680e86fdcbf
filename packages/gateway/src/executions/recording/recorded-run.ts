import type { RecordedParts } from "@yagate/execution-machine/execution-config";
import type { AdmittedCall } from "@yagate/execution-machine/inputs";
import type { CallState, ExecutionState } from "@yagate/execution-machine/state";
import { READ_ARTIFACT } from "@yagate/lib/artifacts/read-artifact-name";
import type { ModelTurn } from "@yagate/models/port";
import type { RecordedResult, Recording } from "@yagate/protocol";
import type { ExecutionRow } from "@yagate/store/port";
import { TOOL_SEARCH } from "@yagate/tool-search/search-definition";
import { type CopiedTurn, copiedOutcome, parseCopiedTurns, toCopiedCalls, toCopiedReply } from "./copied-turn.ts";
import { keyText, outcomeKeyOf } from "./outcome-key.ts";
import { type RecordedOutcome, toFailure, toResult } from "./recorded-outcome.ts";
import { RecordedFailure, toRecordedReply } from "./recorded-reply.ts";

/** A reply that stands in for that of the model. */
export interface RecordedTurnReply {
  readonly reply: ModelTurn;
  /** The decisions about its calls, if they are copied too. Otherwise the calls are admitted like those of a model. */
  readonly calls?: readonly AdmittedCall[];
}

/** The recorded parts of an execution. */
export interface RecordedRun extends Omit<RecordedParts, "tools"> {
  /** Names of the tools that copied model turns have called. The agent may no longer have them. */
  readonly copiedTools: ReadonlySet<string>;
  /**
   * Returns the recorded reply of a model turn; undefined if the model is asked.
   *
   * @throws RecordedFailure if the recording has an error instead, or no such turn.
   */
  replyOf(
    turn: number,
    ids: { readonly newToolCallId: () => string; readonly newFrameNonce: () => string },
  ): RecordedTurnReply | undefined;
  /** Returns the recorded outcome of a call; undefined if the call runs. */
  outcomeOf(call: CallState, state: ExecutionState): RecordedOutcome | undefined;
}

/**
 * Returns the recorded parts of an execution; undefined if it has none. They are read from the row of the execution, so
 * every owner of the execution finds the same ones.
 */
export function recordedRunOf({ request, replay }: ExecutionRow): RecordedRun | undefined {
  const { recording } = request;
  if (recording === undefined && replay === undefined) return undefined;
  const copied = parseCopiedTurns(replay?.turns ?? []);
  const modelTurns = recording?.modelTurns ?? [];
  const outcomes = recording === undefined ? undefined : new RecordedOutcomes(recording);
  const lastReplyTurn = modelTurns.length > 0 ? Number.POSITIVE_INFINITY : copied.length;
  return {
    lastReplyTurn,
    copiedTools: new Set(copied.flatMap(({ calls }) => calls.map(({ requested }) => requested.name))),
    lastCallTurn: outcomes === undefined ? copied.length : Number.POSITIVE_INFINITY,
    replyOf(turn, { newToolCallId, newFrameNonce }) {
      const ofOther = copied[turn - 1];
      if (ofOther !== undefined) {
        const reply = toCopiedReply(ofOther, newToolCallId);
        return { reply, calls: toCopiedCalls(ofOther, reply, newFrameNonce) };
      }
      if (turn > lastReplyTurn) return undefined;
      const recorded = modelTurns[turn - 1];
      if (recorded !== undefined) return { reply: toRecordedReply(recorded, turn, newToolCallId) };
      const message = `model turn ${turn}: expected a recorded reply, but the recording has ${modelTurns.length} model turns`;
      throw new RecordedFailure({ code: "REPLAY_DIVERGED", message });
    },
    outcomeOf(call, state) {
      const ofOther: CopiedTurn | undefined = copied[call.turn - 1];
      if (ofOther !== undefined) return copiedOutcome(ofOther, indexOf(call, state));
      return outcomes?.of(call, state);
    },
  };
}

function indexOf({ id, turn }: CallState, { turns }: ExecutionState): number {
  return turns.find(({ number }) => number === turn)?.calls.findIndex((call) => call.id === id) ?? -1;
}

/** Maximum number of recorded calls that a message about a missing outcome names. */
const MAX_NAMED = 5;

class RecordedOutcomes {
  readonly #results: readonly RecordedResult[];
  readonly #byKey: ReadonlyMap<string, RecordedResult>;

  constructor({ toolResults }: Recording) {
    this.#results = toolResults;
    this.#byKey = new Map(toolResults.map((result) => [keyText(result), result]));
  }

  of(call: CallState, state: ExecutionState): RecordedOutcome | undefined {
    const key = outcomeKeyOf(call, state);
    const found = key === undefined ? undefined : this.#byKey.get(keyText(key));
    if (found?.error !== undefined) return { failure: toFailure(found.error) };
    if (found !== undefined) return toResult(call, found.result);
    // The id of an artifact of this execution differs from the one in the recording, and reading it sends nothing.
    // A search of tools sends nothing either.
    if ((call.name === READ_ARTIFACT || call.name === TOOL_SEARCH) && call.kind === "data") return undefined;
    const place = `model turn ${call.turn}, call ${indexOf(call, state) + 1}`;
    const wanted =
      key === undefined
        ? "arguments that cannot be hashed"
        : `the arguments ${key.argumentsHash} (occurrence ${key.occurrence})`;
    return { divergence: `${place}: expected an outcome of ${call.name} for ${wanted}; ${this.#known(call.name)}` };
  }

  #known(name: string): string {
    const known = this.#results.filter((result) => result.name === name);
    if (known.length === 0) return "the recording has no call of this tool";
    const named = known.slice(0, MAX_NAMED).map((one) => `${one.argumentsHash} (occurrence ${one.occurrence})`);
    const more = known.length > MAX_NAMED ? ` and ${known.length - MAX_NAMED} more` : "";
    return `the recording has ${named.join(", ")}${more}`;
  }
}
