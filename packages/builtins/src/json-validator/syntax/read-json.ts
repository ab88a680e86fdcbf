import { defined } from "@yagate/lib/objects/defined";
import { cutText } from "@yagate/lib/text/cut-text";
import type { JsonSyntaxError, JsonWarning } from "../json-validation.ts";
import { scanJson, type TextFinding, type TextScan } from "./scan-json.ts";
import type { SyntaxFault } from "./syntax-fault.ts";
import { excerptAt, positionAt } from "./text-position.ts";

/** A parsed text or its syntax error, with warnings about ambiguities. */
export type ReadJson = {
  readonly warnings: readonly JsonWarning[];
  /** Nesting depth of objects and arrays. */
  readonly depth: number;
} & ({ readonly value: unknown } | { readonly syntaxError: JsonSyntaxError });

const MAX_SHOWN_TOKEN = 40;

/** Parses a text by RFC 8259, and reports errors and ambiguities. */
export function readJson(text: string): ReadJson {
  const scan = scanJson(text);
  const { depth, fault } = scan;
  const warnings = toWarnings(text, scan);
  if (fault !== undefined) return { warnings, depth, syntaxError: toSyntaxError(text, fault, scan) };
  const value: unknown = JSON.parse(text);
  return { warnings, depth, value };
}

function toSyntaxError(text: string, fault: SyntaxFault, { faultPath, open }: TextScan): JsonSyntaxError {
  const { offset, expected } = fault;
  const { line, column } = positionAt(text, offset);
  const found = fault.found ?? foundAt(text, offset);
  const hint = fault.hint ?? (offset >= text.length ? endHint(text, open) : undefined);
  return {
    message: `line ${line}, column ${column}: expected ${expected}, found ${found}${hint === undefined ? "" : ` (${hint})`}`,
    line,
    column,
    offset,
    expected,
    found,
    excerpt: excerptAt(text, offset),
    path: faultPath,
    ...defined({ hint }),
  };
}

function foundAt(text: string, offset: number): string {
  const code = text.codePointAt(offset);
  if (code === undefined) return "the end of the text";
  if (code === 0xfeff) return "a byte order mark";
  const isVisible = !/[\p{C}\p{Z}]/u.test(String.fromCodePoint(code));
  return isVisible
    ? `"${String.fromCodePoint(code)}"`
    : `the character U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

function endHint(text: string, open: TextScan["open"]): string | undefined {
  if (text.trim() === "") return "the text is empty";
  const last = open.at(-1);
  if (last === undefined) return undefined;
  const missing = open.map(({ bracket }) => (bracket === "{" ? "}" : "]")).reverse();
  const shown = missing.length > 20 ? `${missing.length} brackets` : missing.join("");
  return `the ${last.bracket} in line ${positionAt(text, last.offset).line} is not closed: the text is cut off, or ${shown} is missing`;
}

function toWarnings(text: string, { findings, findingCount }: TextScan): readonly JsonWarning[] {
  const warnings = findings.map((finding) => toWarning(text, finding));
  if (findingCount === findings.length) return warnings;
  return [...warnings, { code: "MORE_WARNINGS", message: `and ${findingCount - findings.length} more` }];
}

function toWarning(text: string, { code, path, offset, token }: TextFinding): JsonWarning {
  const shown = cutText(token, MAX_SHOWN_TOKEN + 1);
  const message =
    code === "DUPLICATE_KEY"
      ? `the name ${shown} occurs twice in this object: most programs keep only the last one`
      : `most programs read ${shown} as ${Number(token)}: write it as a string to keep all digits`;
  return { code, path, ...positionAt(text, offset), message };
}
