import { isJsonObject } from "@yagate/lib/json/json-object";
import type { Vector } from "./read-vectors.ts";
import type { World } from "./world.ts";

/**
 * The body of a vector after adaptation, and the body before the vector's change. Both are Latin-1 text, in which every
 * byte is one character, because vectors contain bytes that are not UTF-8.
 */
export interface LiveBody {
  readonly text: string;
  /** The signed text, if the signature covers the text before the change. */
  readonly before: string;
  /** The part that the vector tests, if it is inside a call. */
  readonly fragment?: string;
  /** Replaces this part with another fragment. */
  readonly around?: (fragment: string) => string;
}

type Fields = Readonly<Record<string, unknown>>;

/** A field that no gateway sends, and that handlers ignore. */
const EXTRA_FIELD = "conformance";

/**
 * Adapts a vector's body. Fields that the vector changes, omits or adds are changed, omitted or added in the current
 * call. Surrounding text is kept. A body that is not a call becomes a field in one.
 *
 * @param base - the body of the unmodified vector.
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
  // A body that is empty or not an object can only be sent unchanged.
  if (original === "" || vector.level === "call") return { text: original, before: live };
  const around = (fragment: string) => `${live.slice(0, -1)},"${EXTRA_FIELD}":${fragment}}`;
  return { text: around(original), before: live, fragment: original, around };
}

function latin1Json(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("latin1");
}

/** Returns the middle of an invalid JSON text that starts and ends like the base call. */
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

/** Changes one byte of a number, so that the body is still a call: a handler that ignores the signature runs it. */
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
    // Other arguments would be rejected for a different reason, so the change is put next to them.
    if (!isSame && isInside) changed.push([EXTRA_FIELD, JSON.stringify(fields[name])]);
  }
  for (const [name, value] of Object.entries(fields)) {
    if (!(name in base)) changed.push([name, JSON.stringify(value)]);
  }
  return `{${changed.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join()}}`;
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z?$/;

/** Converts a value in a vector to JSON text. Times are shifted from the vector's clock to the current time. */
function liveValue(value: unknown, vector: Vector, world: World): string {
  if (value === vector.nowMs / 1_000) return String(Math.floor(world.nowMs / 1_000));
  if (typeof value !== "string" || !TIME.test(value)) return JSON.stringify(value);
  const awayMs = Date.parse(value.endsWith("Z") ? value : `${value}Z`) - vector.nowMs;
  const text = new Date(world.nowMs + liveDistanceMs(awayMs, vector, world)).toISOString();
  const precise = value.includes(".") ? text : text.replace(/\.\d{3}/, "");
  return JSON.stringify(value.endsWith("Z") ? precise : precise.replace("Z", ""));
}

/**
 * Returns how far from now a time must be. A time outside the tolerance stays outside it, by an extra margin; a time
 * inside stays inside.
 */
function liveDistanceMs(awayMs: number, vector: Vector, { toleranceSeconds, marginSeconds }: World): number {
  const sign = Math.sign(awayMs);
  const pastToleranceMs = Math.abs(awayMs) - vector.toleranceSeconds * 1_000;
  if (Math.abs(pastToleranceMs) > 15_000) return awayMs;
  const isAccepted = vector.expect === "accept";
  return sign * (toleranceSeconds * 1_000 + pastToleranceMs + (isAccepted ? -1 : 1) * marginSeconds * 1_000);
}
