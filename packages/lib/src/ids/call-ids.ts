import { randomInt } from "node:crypto";
import { ID_PREFIXES } from "@yagate/protocol";
import { ID_ALPHABET } from "./id-alphabet.ts";

const ORDINAL_CHARACTERS = 3;
const CHANCE_CHARACTERS = 5;
const CHANCES = 32 ** CHANCE_CHARACTERS;
const CALL_ID = /^(?:tc|att)_([0-9a-hjkmnp-tv-z]{26})[0-9a-hjkmnp-tv-z]{8}$/;

/** Kinds whose ids contain the id of their execution. */
export type CallIdKind = "toolCall" | "attempt";

/** Generates an id of a tool call or an attempt. It is passed as a parameter, so that tests can predict ids. */
export type NewCallId = (kind: CallIdKind, executionId: string, ordinal: number) => string;

/**
 * Generates the id of a tool call or an attempt: the prefix, the 26 characters of the execution's id, three of the
 * ordinal and five random ones.
 *
 * @param ordinal - a number that grows with each id of the execution. Ids of one kind sort by it up to 32,767; beyond,
 *   they still differ.
 */
export function newCallId(kind: CallIdKind, executionId: string, ordinal: number): string {
  const ofExecution = executionId.slice(ID_PREFIXES.execution.length + 1);
  const chance = toBase32(randomInt(CHANCES), CHANCE_CHARACTERS);
  return `${ID_PREFIXES[kind]}_${ofExecution}${toBase32(ordinal, ORDINAL_CHARACTERS)}${chance}`;
}

/**
 * Returns the id of the execution that an id from {@link newCallId} contains. Neither the execution nor the call need
 * exist.
 *
 * @returns undefined for text of any other form, such as the ids of earlier versions, which contain no execution.
 */
export function executionIdOf(callId: string): string | undefined {
  const [, ofExecution] = CALL_ID.exec(callId) ?? [];
  return ofExecution === undefined ? undefined : `${ID_PREFIXES.execution}_${ofExecution}`;
}

/** Returns the last digits of a number. */
function toBase32(number: number, digits: number): string {
  let text = "";
  for (let rest = number; text.length < digits; rest = Math.floor(rest / ID_ALPHABET.length)) {
    text = `${ID_ALPHABET[rest % ID_ALPHABET.length]}${text}`;
  }
  return text;
}
