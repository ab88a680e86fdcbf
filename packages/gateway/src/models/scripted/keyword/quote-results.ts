import { quoteEvidence } from "./quote-evidence.ts";

/** One answered call, as the conversation holds it. */
export interface AnsweredCall {
  readonly name: string;
  readonly parameters: unknown;
  readonly isError: boolean;
  /** JSON where it was not cut. */
  readonly text: string;
}

const MAX_VALUES = 40;
const MAX_VALUE_LENGTH = 300;

/** Says what the tools answered in one sentence each, word for word. */
export function quoteResults(calls: readonly AnsweredCall[]): string {
  return calls.map((call) => quote(call, calls.filter((other) => other.name === call.name).length > 1)).join("\n");
}

function quote({ name, parameters, isError, text }: AnsweredCall, isOneOfSeveral: boolean): string {
  const evidence = isError ? undefined : quoteEvidence(name, text);
  if (evidence !== undefined) return evidence;
  const subject = isOneOfSeveral ? `${name} (${flatten(parameters)})` : name;
  const value = parse(text);
  if (!isError) return `${subject} answered ${withPeriod(flatten(value))}`;
  const { code, message } = readError(value);
  return `${subject} failed${code === undefined ? "" : ` (${code})`}: ${withPeriod(message ?? flatten(value))}`;
}

function readError(value: unknown): { readonly code?: string; readonly message?: string } {
  const error = isObject(value) && isObject(value["error"]) ? value["error"] : value;
  if (!isObject(error)) return {};
  const { code, message } = error;
  return {
    ...(typeof code === "string" ? { code } : {}),
    ...(typeof message === "string" && message !== "" ? { message } : {}),
  };
}

/** `status: shipped; address.city: Berlin; items[0].sku: A-1`. */
function flatten(value: unknown): string {
  const pairs = [...leaves(value, "")].map(([path, text]) => (path === "" ? text : `${path}: ${text}`));
  const shown = pairs.slice(0, MAX_VALUES).join("; ");
  return pairs.length > MAX_VALUES ? `${shown}; and ${pairs.length - MAX_VALUES} more values` : shown;
}

function* leaves(value: unknown, path: string): Generator<readonly [path: string, text: string]> {
  if (Array.isArray(value) && value.some(isContainer)) {
    for (const [index, member] of value.entries()) yield* leaves(member, `${path}[${index}]`);
  } else if (isObject(value) && Object.keys(value).length > 0) {
    for (const [key, member] of Object.entries(value)) yield* leaves(member, path === "" ? key : `${path}.${key}`);
  } else {
    yield [path, toText(value)];
  }
}

function toText(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "none" : cut(value.map(String).join(", "));
  if (isObject(value)) return "nothing";
  return value === null ? "nothing" : cut(String(value));
}

function cut(text: string): string {
  return text.length <= MAX_VALUE_LENGTH ? text : `${text.slice(0, MAX_VALUE_LENGTH)}…`;
}

function withPeriod(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function isContainer(value: unknown): boolean {
  return Array.isArray(value) || isObject(value);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
