import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject, JsonValue } from "@yagate/protocol";
import { repositoryRoot } from "../../scripts/repository-root.ts";
import { type CodeBlock, codeBlocks } from "../docs-blocks/code-blocks.ts";

/** An example of a tool's page: what the tool is called with, and what the page says comes of it. */
export interface ToolExample {
  /** `docs/calculator.md:12`, the line of the arguments. */
  readonly place: string;
  /** The nearest heading above. */
  readonly section: string;
  readonly parameters: JsonObject;
  /** What the page shows: a result, or an error as the model reads it. */
  readonly outcome: { readonly result: JsonValue } | { readonly error: JsonObject };
  /** The agent's `config` for the tool, where the example has one. */
  readonly config: JsonObject | undefined;
}

/**
 * The examples of a page about a tool, in their order. On the page, an example is a fenced `json` block of arguments
 * and, next, a fenced `json` block of the result; text may stand between them:
 *
 * ````md
 * ```json
 * { "expression": "0.1 + 0.2" }
 * ```
 *
 * ```json result
 * { "value": 0.3, "exact": "0.3" }
 * ```
 * ````
 *
 * The second block is marked `result` when the tool answers, and `error` when it refuses; without a mark it is a result.
 * A block marked `config` before the arguments is the tool's `config` for that one example. A block marked `aside` is no
 * part of any example (a schema, a file). A page without an example is an error, and so is a block without its partner.
 *
 * The page's test runs every one of them against the real tool, for instance:
 *
 * ```ts
 * it.each(toolExamples("docs/calculator.md"))("$place, $section", async ({ parameters, outcome }) => {
 *   expect(await calculatorTool.execute(parameters, context)).toEqual(outcome);
 * });
 * ```
 *
 * @param page - from the repository's root.
 */
export function toolExamples(page: string): readonly ToolExample[] {
  const markdown = readFileSync(join(repositoryRoot, page), "utf8");
  const examples = readToolExamples(page, markdown);
  if (examples.length === 0) throw new Error(`${page}: expected at least one example`);
  return examples;
}

/** The examples of a page's text; see {@link toolExamples}. */
export function readToolExamples(page: string, markdown: string): readonly ToolExample[] {
  const lines = markdown.split("\n");
  const examples: ToolExample[] = [];
  let config: CodeBlock | undefined;
  let call: CodeBlock | undefined;
  for (const block of codeBlocks(page, markdown)) {
    if (block.language !== "json" || block.marks.includes("aside")) continue;
    if (block.marks.includes("config")) {
      if (config !== undefined || call !== undefined) throw misplaced(block, "arguments or a result");
      config = block;
      continue;
    }
    const isOutcome = block.marks.includes("result") || block.marks.includes("error");
    if (call === undefined) {
      if (isOutcome) throw misplaced(block, "arguments");
      call = block;
      continue;
    }
    examples.push({
      place: `${page}:${call.line}`,
      section: headingAbove(lines, call.line),
      parameters: objectOf(call),
      outcome: block.marks.includes("error") ? { error: objectOf(block) } : { result: JSON.parse(block.text) },
      config: config === undefined ? undefined : objectOf(config),
    });
    config = undefined;
    call = undefined;
  }
  const alone = call ?? config;
  if (alone !== undefined) throw new Error(`${alone.page}:${alone.line}: expected a result after this block`);
  return examples;
}

function misplaced({ page, line }: CodeBlock, expected: string): Error {
  return new Error(`${page}:${line}: expected ${expected} before this block`);
}

function headingAbove(lines: readonly string[], line: number): string {
  const heading = lines.slice(0, line).findLast((text) => /^#+ /.test(text));
  return (heading ?? "").replace(/^#+ /, "");
}

function objectOf({ page, line, text }: CodeBlock): JsonObject {
  const value: JsonValue = JSON.parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Error(`${page}:${line}: expected a JSON object`);
  }
  return value;
}
