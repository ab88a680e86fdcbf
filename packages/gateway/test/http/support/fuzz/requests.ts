import * as z from "zod";
import type { Call } from "../api-caller.ts";
import type { Operation } from "../operations.ts";
import { happens, pick } from "./draw.ts";
import { type ValueOptions, validValue } from "./json-values.ts";
import { RAW_BODIES, wrongValue } from "./wrong-values.ts";

/** A request made from the document, rightly or wrongly. */
export interface FuzzedRequest {
  readonly call: Call;
  /** What was sent as JSON, where it is to be held against the operation's schema. */
  readonly sent?: unknown;
}

/** The prefix of the ids that stand behind a segment of a path. */
const PREFIXES: Readonly<Record<string, string>> = {
  agents: "agt",
  executions: "exec",
  "tool-calls": "tc",
  attempts: "att",
  approvals: "apr",
  artifacts: "art",
  callbacks: "tc",
  endpoints: "ep",
  tools: "tool",
  toolkits: "kit",
  workspaces: "ws",
  "api-keys": "key",
  jwks: "ws",
};
// Without those of `changesPath`.
const ODD_SEGMENTS = ["none", "%", "...", " ", "a/b", "exec_01", "__proto__", "ü", "x".repeat(300), "\u0000"] as const;
const ODD_HEADERS = [
  "",
  " ",
  "a b",
  "ä",
  "0",
  "-1",
  "1",
  "wait=0",
  "text/event-stream",
  "9".repeat(20),
  ",,",
  "*/*",
] as const;

export function fuzzRequest(
  operation: Operation,
  keys: readonly (string | null)[],
  options: ValueOptions,
): FuzzedRequest {
  const { draw } = options;
  const body = operation.requestSchema === undefined ? {} : bodyOf(operation.requestSchema, options);
  return {
    ...("sent" in body ? { sent: body.sent } : {}),
    call: {
      params: paramsOf(operation, options),
      ...queryOf(operation, options),
      ...("body" in body ? { body: body.body } : {}),
      headers: { ...headersOf(operation, options), ...body.headers },
      ...(happens(draw, 12) ? { key: pick(draw, keys) } : {}),
    },
  };
}

interface FuzzedBody {
  readonly body?: unknown;
  readonly sent?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

function bodyOf(schema: object, options: ValueOptions): FuzzedBody {
  const { draw } = options;
  if (happens(draw, 8)) {
    const { body, type } = pick(draw, RAW_BODIES);
    return { body, ...(type === undefined ? {} : { headers: { "content-type": type } }) };
  }
  if (happens(draw, 4)) return {};
  const valid = validValue(schema, options);
  const value = happens(draw, 30) ? wrongValue(valid, draw) : valid;
  const text = JSON.stringify(value);
  return { body: text, sent: JSON.parse(text), headers: happens(draw, 2) ? { "content-encoding": "gzip" } : {} };
}

function paramsOf({ path, parameters }: Operation, { draw, ids }: ValueOptions): Record<string, string> {
  const named = parameters.filter((parameter) => parameter.in === "path");
  return Object.fromEntries(
    named.map(({ name }) => {
      const segment =
        path
          .slice(0, path.indexOf(`{${name}}`) - 1)
          .split("/")
          .at(-1) ?? "";
      const prefix = PREFIXES[segment];
      const known = (prefix === undefined ? ids.names() : ids.withPrefix(prefix)).filter((id) => !changesPath(id));
      return [name, known.length > 0 && happens(draw, 85) ? pick(draw, known) : pick(draw, ODD_SEGMENTS)];
    }),
  );
}

/** Clients resolve dot segments and servers drop empty ones: such a request is for another operation. */
function changesPath(segment: string): boolean {
  return segment === "" || segment === "." || segment === "..";
}

const parameterSchema = z.looseObject({ schema: z.looseObject({}).optional() });

function queryOf({ parameters }: Operation, options: ValueOptions): Pick<Call, "query"> {
  const { draw } = options;
  const entries = parameters
    .filter((parameter) => parameter.in === "query" && happens(draw, 30))
    .map((parameter) => {
      const value = validValue(parameterSchema.parse(parameter).schema, options);
      return [parameter.name, happens(draw, 30) ? String(wrongValue(value, draw)) : String(value)];
    });
  if (happens(draw, 3)) entries.push(["unexpected", "1"]);
  return entries.length === 0 ? {} : { query: Object.fromEntries(entries) };
}

function headersOf({ parameters }: Operation, { draw }: ValueOptions): Record<string, string> {
  const named = parameters.filter((parameter) => parameter.in === "header" && happens(draw, 15));
  const odd = named.map(({ name }) => [name, pick(draw, ODD_HEADERS)]);
  if (happens(draw, 5))
    odd.push(["accept", pick(draw, ["text/plain", "application/x-ndjson", "image/png", "*/*", ""])]);
  // Longer ones only hold the test up.
  if (named.some(({ name }) => name === "Prefer"))
    odd.push(["Prefer", pick(draw, ["wait=0", "wait=x", "return=minimal"])]);
  return Object.fromEntries(odd.filter(([, value]) => isHeaderValue(String(value))));
}

/** What `fetch` sends at all. */
function isHeaderValue(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

/** The seed of a run: fixed so that a run can be repeated, unless a number or `random` is given. */
export function seedOf(given: string | undefined): number {
  if (given === "random") return Math.floor(Math.random() * 2 ** 30);
  return given === undefined ? 593_463_058 : Number(given);
}
