import { createHash } from "node:crypto";
import type { CallState, ExecutionState } from "@yagate/execution-machine/state";
import { isObject } from "@yagate/lib/json/json-object";
import { canonicalJson, type JsonValue, YagateError } from "@yagate/protocol";

/** Identifies the outcome of a call in a recording. */
export interface OutcomeKey {
  readonly name: string;
  /** The hash of the call's arguments, as `argumentsHash` in `@yagate/protocol` returns it. */
  readonly argumentsHash: string;
  /** Position of the call, from 1, among the execution's calls to the same tool with equal arguments. */
  readonly occurrence: number;
}

const hashes = new WeakMap<object, string>();

/** Returns the hash of a call's arguments; undefined if they have no canonical form. */
function hashOf(parameters: JsonValue): string | undefined {
  const known = isObject(parameters) ? hashes.get(parameters) : undefined;
  if (known !== undefined) return known;
  try {
    const hash = `sha256:${createHash("sha256").update(canonicalJson(parameters)).digest("hex")}`;
    if (isObject(parameters)) hashes.set(parameters, hash);
    return hash;
  } catch (error) {
    if (YagateError.is(error)) return undefined;
    throw error;
  }
}

/**
 * Returns the key of a call's outcome. Calls are counted in the order in which the model requested them.
 *
 * @returns undefined if the arguments cannot be hashed, such as a text that is not valid Unicode.
 */
export function outcomeKeyOf(
  call: Pick<CallState, "id" | "name" | "parameters">,
  { turns }: Pick<ExecutionState, "turns">,
): OutcomeKey | undefined {
  const argumentsHash = hashOf(call.parameters);
  if (argumentsHash === undefined) return undefined;
  let occurrence = 0;
  for (const other of turns.flatMap(({ calls }) => calls)) {
    if (other.name === call.name && hashOf(other.parameters) === argumentsHash) occurrence += 1;
    if (other.id === call.id) break;
  }
  return { name: call.name, argumentsHash, occurrence };
}

/** Returns a key as a text, for maps. */
export function keyText({ name, argumentsHash, occurrence }: OutcomeKey): string {
  return `${argumentsHash} ${occurrence} ${name}`;
}
