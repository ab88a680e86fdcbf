import { APICallError, InvalidResponseDataError, JSONParseError, TypeValidationError } from "@ai-sdk/provider";
import { toVisibleLine } from "@yagate/protocol";
import * as z from "zod";

const MAX_LENGTH = 500;

/** Returns why a response could not be parsed: what was expected and where, without any of its content. */
export function unreadableReason(error: unknown): string {
  const chain = causes(error);
  const call = chain.find((cause) => APICallError.isInstance(cause));
  const type = call?.responseHeaders?.["content-type"];
  const http =
    call?.statusCode === undefined ? [] : [`HTTP ${call.statusCode}${type === undefined ? "" : ` (${type})`}`];
  const reason = chain.map(reasonOf).find((text) => text !== undefined) ?? "it does not have the expected form";
  return toVisibleLine([...http, reason].join(": ")).slice(0, MAX_LENGTH);
}

function reasonOf(error: unknown): string | undefined {
  if (JSONParseError.isInstance(error)) return `expected JSON, got ${kindOf(error.text)}`;
  if (TypeValidationError.isInstance(error)) return mismatches(error.cause);
  if (InvalidResponseDataError.isInstance(error)) return error.message;
  if (!(error instanceof Error)) return undefined;
  if (error.name === "AI_EmptyResponseBodyError") return "expected a response, got an empty body";
  // JavaScript throws this error when code reads a property of undefined or null.
  return error instanceof TypeError || error instanceof RangeError ? error.message : undefined;
}

function kindOf(text: string): string {
  const beginning = text.trimStart().slice(0, 1);
  if (beginning === "") return "nothing";
  if (beginning === "<") return "a page of HTML or XML";
  return "{[".includes(beginning) ? "invalid or truncated JSON" : "other text";
}

const issuesSchema = z.object({ issues: z.array(z.unknown()) });
const issueSchema = z.object({
  path: z.array(z.union([z.string(), z.number()])),
  message: z.string(),
  errors: z.array(z.array(z.unknown())).optional(),
});

function mismatches(cause: unknown): string | undefined {
  const issues = issuesSchema.safeParse(cause).data?.issues ?? [];
  const told = issues.flatMap(leaves).slice(0, 3);
  return told.length === 0 ? undefined : told.map(({ path, message }) => `${path}: ${message}`).join("; ");
}

/**
 * Returns the innermost issues in a schema error. Among several alternatives, uses the first, which describes a
 * success; the others describe errors.
 */
function leaves(issue: unknown): readonly { readonly path: string; readonly message: string }[] {
  const { path = [], message = "", errors: [first] = [] } = issueSchema.safeParse(issue).data ?? {};
  const place = path.length === 0 ? "the response" : path.join(".");
  if (first === undefined || first.length === 0) return [{ path: place, message }];
  return first.flatMap(leaves).map((leaf) => ({
    path: path.length === 0 ? leaf.path : `${place}.${leaf.path}`,
    message: leaf.message,
  }));
}

/** Returns the error and its causes, outermost first, at most ten. */
export function causes(error: unknown): readonly unknown[] {
  const chain: unknown[] = [];
  let current = error;
  while (current !== undefined && current !== null && chain.length < 10) {
    chain.push(current);
    current = current instanceof Error ? current.cause : undefined;
  }
  return chain;
}
