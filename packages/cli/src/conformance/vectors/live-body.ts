import { isJsonObject } from "@yagate/lib/json/json-object";
import type { Vector } from "./read-vectors.ts";
import type { World } from "./world.ts";

/**
 * The body of a vector in another world, and what stood there before it was changed. As Latin-1 text, in which every
 * byte is one character: vectors have bytes that are no UTF-8.
 */
export interface LiveBody {
  readonly text: string;
  /** What was signed where the signature is of the text before the change. */
  readonly before: string;
  /** The part that the vector is about, when it stands inside of a call. */
  readonly fragment?: string;
  /** Puts another fragment in its place. */
  readonly around?: (fragment: string) => string;
}

type Fields = Readonly<Record<string, unknown>>;

/** A field that no gateway sends: handlers ignore what they don't know. */
const EXTRA_FIELD = "conformance";

/**
 * Carries a vector's body over: the fields that it changes, lacks or adds are changed, left out or added in the call of
 * this moment; text around it stays; a body that is no call becomes a field of one.
 *
 * @param base - the body of the vector without a change.
 */
export function liveBody(vector: Vector, base: string, world: World): LiveBody {
  const original = vector.body.toString("latin1");
  const live = latin1Json(world.call);
  if (vector.paddedToBytes !== undefined) {
    return { text: live.padEnd(vector.paddedToBytes, " "), before: live };
  }
  if (original.startsWith(base)) return { text: live + original.slice(base.length), before: live };
  if (isOneByteChange(original, base)) return { text: changeOneByte(live), before: live };
  const inserted = insertedText(original, base);
  const fields = parseFields(original);
  const baseFields = parseFields(base) ?? {};
  if (fields !== undefined && Object.keys(baseFields).some((name) => name in fields)) {
    return { text: changeFields(fields, baseFields, vector, world), before: live };
  }
  if (fields === undefined && inserted !== undefined) {
    return { text: `${live.slice(0, -1)},"${EXTRA_FIELD}":"${inserted}"}`, before: live };
  }
  // An empty body, or one that is no object: it can only be sent as it is.
  if (original === "" || vector.level === "call") return { text: original, before: live };
  const around = (fragment: string) => `${live.slice(0, -1)},"${EXTRA_FIELD}":${fragment}}`;
  return { text: around(original), before: live, fragment: original, around };
}

function latin1Json(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("latin1");
}

/** What stands between the two ends of a call, where those are the base's: text that is no JSON any more. */
function insertedText(text: string, base: string): string | undefined {
  let start = 0;
  while (start < text.length && text[start] === base[start]) start += 1;
  let end = 0;
  while (end < text.length - start && text.at(-1 - end) === base.at(-1 - end)) end += 1;
  return start > 1 && end > 1 ? text.slice(start, text.length - end) : undefined;
}

function parseFields(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function isOneByteChange(left: string, right: string): boolean {
  if (left.length !== right.length) return false;
  return Array.from(left).filter((character, index) => character !== right[index]).length === 1;
}

/** Of a number, so that it stays a call: whoever doesn't look at the signature runs it. */
function changeOneByte(live: string): string {
  return live.replace(/"attempt":\d/, '"attempt":2');
}

function changeFields(fields: Fields, base: Fields, vector: Vector, world: World): string {
  const changed: [name: string, json: string][] = [];
  for (const [name, value] of Object.entries(world.call)) {
    if (name in base && !(name in fields)) continue;
    const isSame = JSON.stringify(fields[name]) === JSON.stringify(base[name]);
    const isInside = name === "parameters" && !Array.isArray(fields[name]);
    changed.push([name, isSame || isInside ? latin1Json(value) : liveValue(fields[name], vector, world)]);
    // Other parameters would be refused for what they are: the change stands beside them.
    if (!isSame && isInside) changed.push([EXTRA_FIELD, JSON.stringify(fields[name])]);
  }
  for (const [name, value] of Object.entries(fields)) {
    if (!(name in base)) changed.push([name, JSON.stringify(value)]);
  }
  return `{${changed.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join()}}`;
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z?$/;

/** The moments of a vector are moments relative to its clock. */
function liveValue(value: unknown, vector: Vector, world: World): string {
  if (value === vector.nowMs / 1_000) return String(Math.floor(world.nowMs / 1_000));
  if (typeof value !== "string" || !TIME.test(value)) return JSON.stringify(value);
  const awayMs = Date.parse(value.endsWith("Z") ? value : `${value}Z`) - vector.nowMs;
  const text = new Date(world.nowMs + liveDistanceMs(awayMs, vector, world)).toISOString();
  const precise = value.includes(".") ? text : text.replace(/\.\d{3}/, "");
  return JSON.stringify(value.endsWith("Z") ? precise : precise.replace("Z", ""));
}

/** A moment outside of the tolerance stays outside, by the margin more; one inside stays inside. */
function liveDistanceMs(awayMs: number, vector: Vector, { toleranceSeconds, marginSeconds }: World): number {
  const sign = Math.sign(awayMs);
  const pastToleranceMs = Math.abs(awayMs) - vector.toleranceSeconds * 1_000;
  if (Math.abs(pastToleranceMs) > 15_000) return awayMs;
  const isAccepted = vector.expect === "accept";
  return sign * (toleranceSeconds * 1_000 + pastToleranceMs + (isAccepted ? -1 : 1) * marginSeconds * 1_000);
}
