import { compareCalls, type EvalCase, type ExpectedCall } from "@yagate/evals";
import { isJsonObject } from "@yagate/lib/json/json-object";
import {
  type HandlerToolDefinition,
  type JsonObject,
  type JsonValue,
  jsonObjectSchema,
  toolNameSchema,
} from "@yagate/protocol";
import type { BfclCase, BfclFunction } from "./corpus.ts";
import { toJsonSchema } from "./json-schema.ts";

/** A case of the leaderboard as an eval case whose script plays the expected calls. */
export interface RoundTrip {
  readonly tools: readonly HandlerToolDefinition[];
  readonly evalCase: EvalCase;
}

/** The handler tools that an agent may have. */
const MAX_TOOLS = 25;

/**
 * Translates a case with an answer. The script plays one acceptable value of each argument.
 *
 * @param handler - the URL of the tools.
 * @returns undefined if the case has too many functions for an agent, or the gateway does not accept the name of one.
 */
export function toRoundTrip(
  { id, messages, functions, answer = [] }: BfclCase,
  handler: string,
): RoundTrip | undefined {
  const tools = new Map(functions.map((one) => [one.name, toTool(one, handler)]));
  if (tools.size > MAX_TOOLS) return undefined;
  // A few names of the leaderboard are too long, or contain other characters.
  if (![...tools.keys()].every((name) => toolNameSchema.safeParse(name).success)) return undefined;
  const parametersOf = new Map(functions.map(({ name, parameters }) => [name, parameters]));
  const expected = answer.flatMap((call) =>
    Object.entries(call).map(
      ([name, alternatives]): ExpectedCall => ({
        ...{ name, arguments: alternatives, match: "bfcl" },
        parameters: parametersOf.get(name) ?? {},
      }),
    ),
  );
  const toolCalls = expected.map((one) => ({ name: one.name, parameters: playedArguments(one) }));
  const question = messages
    .map(({ content }) => content)
    .join("\n")
    .trim();
  return {
    tools: [...tools.values()],
    evalCase: {
      case_id: id,
      input: question === "" ? id : question,
      ...{ match: "bfcl", order: "any", expected_calls: expected },
      script: { turns: [{ toolCalls }, { text: "done" }] },
    },
  };
}

function toTool({ name, description, parameters }: BfclFunction, handler: string): HandlerToolDefinition {
  const schema = { ...toJsonSchema(parameters), type: "object" };
  return {
    ...{ name, handler, sideEffect: "read_only" },
    description: description === "" ? name : description.slice(0, 4_000),
    parameters: schema,
  };
}

/**
 * Returns arguments that the leaderboard accepts: the first acceptable value of each. In a few cases, only another one
 * agrees with the declared type, or the argument must be absent.
 */
function playedArguments(expected: ExpectedCall): JsonObject {
  const alternatives = Object.entries(expected.arguments ?? {});
  const candidates = alternatives.map(([name, values]) => ({ name, values: candidatesOf(values) }));
  const first = Object.fromEntries(candidates.flatMap(({ name, values: [value] }) => toMember(name, value)));
  for (const parameters of [first, ...variations(candidates, first)]) {
    if (isAccepted(expected, parameters)) return jsonObjectSchema.parse(parameters);
  }
  return jsonObjectSchema.parse(first);
}

type Candidate = { readonly value: JsonValue } | "absent";
interface Candidates {
  readonly name: string;
  readonly values: readonly Candidate[];
}

/** The values that can be played, those that say something first. `""` means that the argument may be absent. */
function candidatesOf(values: JsonValue | undefined): readonly Candidate[] {
  const list = Array.isArray(values) ? values : [];
  const filled = list.filter((value) => value !== "").map((value) => ({ value: sampleOf(value) }));
  return list.includes("") ? [...filled, "absent", { value: "" }] : filled;
}

/** Changes one argument after the other. */
function* variations(candidates: readonly Candidates[], first: Readonly<Record<string, JsonValue>>) {
  for (const { name, values } of candidates) {
    const { [name]: _replaced, ...others } = first;
    for (const candidate of values.slice(1)) yield { ...others, ...Object.fromEntries(toMember(name, candidate)) };
  }
}

function toMember(name: string, candidate: Candidate | undefined): readonly (readonly [string, JsonValue])[] {
  return candidate === undefined || candidate === "absent" ? [] : [[name, candidate.value]];
}

/** In an acceptable object, each member is a list of acceptable values. */
function sampleOf(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sampleOf);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).flatMap(([name, alternatives]) =>
    toMember(name, candidatesOf(alternatives)[0]),
  );
  return Object.fromEntries(members);
}

function isAccepted(expected: ExpectedCall, parameters: unknown): boolean {
  const made = [{ name: expected.name, parameters }];
  const { problems } = compareCalls({ expected: [expected], made, match: "bfcl", order: "any", schemas: new Map() });
  return problems.length === 0;
}
