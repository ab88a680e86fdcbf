import { isObject } from "@yagate/lib/json/json-object";
import { YagateError } from "@yagate/protocol";
import {
  type CaseDefaults,
  type CaseDefinition,
  caseFileSchema,
  caseSchema,
  defaultsSchema,
  KNOWN_FIELDS,
} from "./case-schema.ts";
import type { EvalCase } from "./eval-case.ts";
import { type FieldProblem, fieldProblems } from "./field-problems.ts";
import { readYaml, type YamlSource } from "./yaml-source.ts";

/** Number of cases in one file. */
const MAX_CASES = 10_000;
/** Number of problems that an error lists. */
const MAX_LISTED = 20;

/**
 * Parses the cases in a text: one case, a list of cases, or `cases` with `defaults`. A text may contain several YAML
 * documents. JSON is accepted, because it is valid YAML.
 *
 * @param file - the name for messages, and for paths that the cases contain.
 * @throws YagateError `INVALID_REQUEST` that lists each problem with its file, line and field.
 */
export function parseCases(text: string, file: string): readonly EvalCase[] {
  const problems: FieldProblem[] = [];
  const cases = readYaml(text, file).flatMap((source) => casesIn(source, file, problems));
  problems.push(...repeatedIds(cases));
  if (problems.length > 0) throw refusal(problems, file);
  if (cases.length === 0) throw refusal([{ line: 1, path: "", message: "expected at least one case" }], file);
  if (cases.length > MAX_CASES) {
    throw refusal([{ line: 1, path: "", message: `expected at most ${MAX_CASES} cases` }], file);
  }
  return cases;
}

function casesIn(source: YamlSource, file: string, problems: FieldProblem[]): readonly EvalCase[] {
  const { value } = source;
  if (Array.isArray(value)) return value.flatMap((one, index) => toCase({ source, file, problems }, one, [index], {}));
  if (!isObject(value)) {
    problems.push({ line: 1, path: "", message: "expected a case, a list of cases, or cases with defaults" });
    return [];
  }
  if ("case_id" in value) return toCase({ source, file, problems }, value, [], {});
  const parsed = caseFileSchema.safeParse(value);
  const given: unknown = Reflect.get(value, "defaults") ?? {};
  const defaults = defaultsSchema.safeParse(given);
  if (!parsed.success) {
    const known = [...KNOWN_FIELDS.file, ...KNOWN_FIELDS.case];
    problems.push(...fieldProblems(parsed.error, { source, base: [], known }));
    return [];
  }
  if (!defaults.success) return [];
  return parsed.data.cases.flatMap((one, index) =>
    toCase({ source, file, problems }, one, ["cases", index], defaults.data),
  );
}

interface Reading {
  readonly source: YamlSource;
  readonly file: string;
  readonly problems: FieldProblem[];
}

function toCase(
  { source, file, problems }: Reading,
  value: unknown,
  path: readonly PropertyKey[],
  defaults: CaseDefaults,
): readonly EvalCase[] {
  const parsed = caseSchema.safeParse(value);
  if (parsed.success) return [{ ...withDefaults(parsed.data, defaults), file, line: source.lineOf(path) }];
  problems.push(...fieldProblems(parsed.error, { source, base: path, known: KNOWN_FIELDS.case }));
  return [];
}

/** Fields of a case replace those of the defaults, except for lists, which are joined. */
function withDefaults(one: CaseDefinition, defaults: CaseDefaults): CaseDefinition {
  const joined = {
    ...joinedList("tags", one.tags, defaults.tags),
    ...joinedList("assert", one.assert, defaults.assert),
    ...joinedList("forbidden_tools", one.forbidden_tools, defaults.forbidden_tools),
  };
  return { ...defaults, ...one, ...joined };
}

function joinedList<Name extends string, Item>(
  name: Name,
  own: readonly Item[] | undefined,
  shared: readonly Item[] | undefined,
): Partial<Record<Name, Item[]>> {
  if (own === undefined || shared === undefined) return {};
  const list: Partial<Record<Name, Item[]>> = {};
  list[name] = [...new Set([...shared, ...own])];
  return list;
}

function repeatedIds(cases: readonly EvalCase[]): readonly FieldProblem[] {
  const lines = new Map<string, number>();
  return cases.flatMap(({ case_id, line = 1 }) => {
    const first = lines.get(case_id);
    if (first === undefined) lines.set(case_id, line);
    if (first === undefined) return [];
    return [{ line, path: "case_id", message: `expected a unique id: line ${first} has a case ${case_id}` }];
  });
}

function refusal(problems: readonly FieldProblem[], file: string): YagateError {
  const sorted = problems.toSorted((one, other) => one.line - other.line);
  const lines = sorted
    .slice(0, MAX_LISTED)
    .map(({ line, path, message }) => `${file}:${line}: ${path === "" ? "" : `${path}: `}${message}`);
  const rest = sorted.length - lines.length;
  return new YagateError("INVALID_REQUEST", [...lines, ...(rest > 0 ? [`and ${rest} more`] : [])].join("\n"), {
    hint: "correct the file; docs/eval-cases.md lists the fields",
  });
}
