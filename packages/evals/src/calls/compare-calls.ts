import type { JsonObject } from "@yagate/lib/json/json-object";
import { type ComparedCall, matchArguments } from "../arguments/match-arguments.ts";
import type { ExpectedCall, MatchMode, OrderMode } from "../cases/case-schema.ts";
import { assign } from "./assign.ts";
import { longestInOrder } from "./longest-in-order.ts";

/** What to compare, and how. */
export interface CallExpectation {
  readonly expected: readonly ExpectedCall[];
  readonly made: readonly ComparedCall[];
  /** The mode of calls that state none. */
  readonly match: MatchMode;
  readonly order: OrderMode;
  /** The JSON Schemas of the parameters of tools, by the tool's name. */
  readonly schemas: ReadonlyMap<string, JsonObject>;
}

/** How calls compare with the expected ones. */
export interface CallComparison {
  /** What is wrong; empty if the calls are as expected. */
  readonly problems: readonly string[];
  /** The share of expected calls for which a call with the right name and arguments was made, in any order. */
  readonly argumentScore: number;
  /** The share of expected calls that were made in the expected order. */
  readonly orderScore: number;
}

/**
 * Compares the calls of an execution with the expected calls.
 *
 * - `strict`: the expected calls and no others, in their order.
 * - `in_order`: the expected calls in their order; others may come between them.
 * - `any`: the expected calls in any order; there may be others, unless no call is expected. If every call is compared
 *   by `bfcl`, its rules apply: no other calls, and each expected call takes the first one left that fits.
 */
export function compareCalls({ expected, made, match, order, schemas }: CallExpectation): CallComparison {
  const problemOf = (wanted: ExpectedCall, call: ComparedCall) =>
    matchArguments(call, wanted, { mode: wanted.match ?? match, schema: schemas.get(wanted.name) });
  const known = new Map<string, boolean>();
  const fits = (at: number, to: number): boolean => {
    const key = `${at}/${to}`;
    const [wanted, call, before] = [expected[at], made[to], known.get(key)];
    if (before !== undefined) return before;
    const isFit = wanted !== undefined && call !== undefined && problemOf(wanted, call) === undefined;
    known.set(key, isFit);
    return isFit;
  };
  const sizes = { expected: expected.length, made: made.length };
  const isBfcl = expected.length > 0 && expected.every((wanted) => (wanted.match ?? match) === "bfcl");
  const assigned = assign(sizes, fits, isBfcl ? "greedy" : "most");
  const inOrder = longestInOrder(sizes, fits);
  const missing = expected.flatMap((wanted, at) =>
    assigned[at] === undefined ? [missingText(wanted, made, problemOf)] : [],
  );
  const problems = [...missing];
  const isCounted = order === "strict" || isBfcl || expected.length === 0;
  if (isCounted && made.length > expected.length) problems.push(surplusText(expected.length, made));
  if (missing.length === 0 && order !== "any" && inOrder < expected.length) {
    problems.push(`expected the order ${namesOf(expected)}, but the calls were ${namesOf(made)}`);
  }
  return {
    problems,
    argumentScore: shareOf(expected.length - missing.length, expected.length),
    orderScore: shareOf(inOrder, expected.length),
  };
}

function shareOf(part: number, whole: number): number {
  return whole === 0 ? 1 : part / whole;
}

function missingText(
  wanted: ExpectedCall,
  made: readonly ComparedCall[],
  problemOf: (wanted: ExpectedCall, call: ComparedCall) => string | undefined,
): string {
  const sameName = made.filter(({ name }) => name === wanted.name);
  const [problem] = sameName.flatMap((call) => problemOf(wanted, call) ?? []);
  if (sameName.length === 0) return `${wanted.name} was not called`;
  return problem === undefined
    ? `${wanted.name} was called ${sameName.length} times, less often than expected`
    : `no call of ${wanted.name} has the expected arguments: ${problem}`;
}

function surplusText(count: number, made: readonly ComparedCall[]): string {
  return `expected ${count} ${count === 1 ? "call" : "calls"}, but ${made.length} were made: ${namesOf(made)}`;
}

function namesOf(calls: readonly { readonly name: string }[]): string {
  return calls.map(({ name }) => name).join(", ");
}
