import type { JsonValue } from "@yagate/protocol";
import { RE2JS } from "re2js";
import type { Question, Span } from "./question.ts";
import { stemsOfName, type Token } from "./words.ts";

/** A parameter of a tool, from its JSON Schema. */
export interface Parameter {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly isRequired: boolean;
}

/** The value that was found in the question for a parameter. */
export interface FoundValue {
  readonly value: JsonValue;
  readonly spans: readonly Span[];
  /** Whether the value alone identifies the tool, such as a match for a pattern. */
  readonly isTelling?: boolean;
}

const QUOTED = /["“]([^"“”]+)["”]/g;
const CAPITALISED = /(?<=\S\s)\p{Lu}[\p{L}'’]*(?: \p{Lu}[\p{L}'’]*)*(?![\p{L}\p{N}_-])/gu;
const FREE_TEXT = new Set(["query", "text", "message", "question", "prompt", "body", "content"]);
/** Maximum number of tokens to match against an author's pattern. */
const MAX_TRIED = 20;
const FORMATS: ReadonlyMap<unknown, RegExp> = new Map([
  ["email", /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g],
  ["uri", /https?:\/\/[^\s"<>]*[^\s"<>.,;:!?)]/g],
  ["date", /\b\d{4}-\d\d-\d\d\b/g],
  ["date-time", /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g],
  ["uuid", /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gi],
]);
/** Matches numbers with operators between them. A minus needs spaces around it, because dates would match otherwise. */
const CALCULATION = /(?<![\w.:#(-])[-(]{0,9}\d[\d.]*\)*(?:(?:\s?[+*/^×÷%]\s?|\s-\s)[-(]{0,9}\d[\d.]*\)*)+(?![\w:-])/g;

/**
 * Finds a parameter's value in the question. Objects, arrays and references are never filled.
 *
 * @param from - the offset at which the words that name the tool end.
 */
export function findValue(parameter: Parameter, question: Question, from: number): FoundValue | undefined {
  const { schema, isRequired } = parameter;
  const choices = schema["const"] === undefined ? schema["enum"] : [schema["const"]];
  if (Array.isArray(choices)) return findChoice(choices.filter(isScalar), question) ?? defaultOf(parameter);
  const found = findByType(parameter, question, from);
  return found ?? (isRequired ? defaultOf(parameter) : undefined);
}

function findByType(parameter: Parameter, question: Question, from: number): FoundValue | undefined {
  const { type } = parameter.schema;
  if (type === "boolean") {
    const named = namesOf(parameter, question)[0];
    return named === undefined ? undefined : { value: true, spans: [named] };
  }
  if (type === "integer" || type === "number") return findNumber(parameter, question);
  return type === "string" ? findText(parameter, question, from) : undefined;
}

function defaultOf({ schema, isRequired }: Parameter): FoundValue | undefined {
  const value = schema["const"] ?? schema["default"];
  return isRequired && isScalar(value) ? { value, spans: [] } : undefined;
}

function findChoice(choices: readonly (string | number | boolean)[], question: Question): FoundValue | undefined {
  for (const value of choices) {
    const words = String(value)
      .toLowerCase()
      .split(/[\s_-]+/);
    const start = question.tokens.findIndex((_, index) =>
      words.every((word, offset) => question.tokens[index + offset]?.text.toLowerCase() === word),
    );
    if (start !== -1) return { value, spans: question.tokens.slice(start, start + words.length) };
  }
  return undefined;
}

function findNumber(parameter: Parameter, { tokens }: Question): FoundValue | undefined {
  const stems = stemsOfName(parameter.name);
  const isNamed = (index: number) => [index - 1, index + 1].some((at) => stems.includes(tokens[at]?.stem ?? ""));
  const numbers = tokens.flatMap((token, index) => {
    const value = /^\d{1,15}(?:\.\d{1,9})?$/.test(token.text) ? Number(token.text) : Number.NaN;
    return isAllowed(value, parameter) ? [{ value, token, isNamed: isNamed(index) }] : [];
  });
  const found = numbers.find((number) => number.isNamed) ?? (parameter.isRequired ? numbers[0] : undefined);
  return found && { value: found.value, spans: [found.token] };
}

function isAllowed(value: number, { schema: { type, minimum, maximum } }: Parameter): boolean {
  if (Number.isNaN(value) || (type === "integer" && !Number.isInteger(value))) return false;
  return !(typeof minimum === "number" && value < minimum) && !(typeof maximum === "number" && value > maximum);
}

function findText(parameter: Parameter, question: Question, from: number): FoundValue | undefined {
  const { name, schema, isRequired } = parameter;
  if (name === "expression") return toFound(question.find(CALCULATION), { isTelling: true });
  const format = FORMATS.get(schema["format"]);
  if (format !== undefined) return toFound(question.find(format)) ?? findMoment(schema["format"], question);
  const named = findNamed(parameter, question);
  const pattern = toPattern(schema["pattern"]);
  if (pattern !== undefined) {
    if (named !== undefined && pattern.matches(named.text)) return toFound(named);
    const identifiers = question.tokens.filter(isIdentifier).slice(0, MAX_TRIED);
    return toFound(
      identifiers.find(({ text }) => pattern.matches(text)),
      { isTelling: true },
    );
  }
  const given = named ?? question.find(QUOTED) ?? question.find(/:\s+(\S.*)/gs);
  if (FREE_TEXT.has(name)) return toFound(given ?? (isRequired ? findRest(question, from) : undefined));
  if (!isRequired) return toFound(named);
  return toFound(given ?? question.find(CAPITALISED) ?? question.tokens.find(isIdentifier));
}

function isIdentifier({ text }: Token): boolean {
  return /\d/.test(text) && /[^\d.,]/.test(text);
}

/** Finds the value after the parameter's name: a quotation, a capitalised name, or a token with a digit or `#`. */
function findNamed(parameter: Parameter, question: Question): Span | undefined {
  const value = FREE_TEXT.has(parameter.name)
    ? /^["“][^"“”]+["”]/
    : /^(?:["“][^"“”]+["”]|#?[\p{L}_-]*\d[\w-]*|#[\p{L}_-]+|\p{Lu}[\p{L}'’]*(?: \p{Lu}[\p{L}'’]*)*)/u;
  for (const { end } of namesOf(parameter, question)) {
    const [lead = ""] = /^(?:\s*[:=]|\s+(?:is|of|number))?\s*/i.exec(question.text.slice(end, end + 20)) ?? [];
    const start = end + lead.length;
    const text = value.exec(question.text.slice(start, start + 1_000))?.[0];
    const span = text && { text: text.replace(/^#|["“”]/g, ""), start, end: start + text.length };
    if (span && question.isFree(span)) return span;
  }
  return undefined;
}

function namesOf({ name }: Parameter, { tokens }: Question): readonly Token[] {
  const stems = stemsOfName(name);
  return tokens.filter((token) => stems.includes(token.stem));
}

/** Finds a date and a time of day, as a point in time in UTC. */
function findMoment(format: unknown, question: Question): FoundValue | undefined {
  const day = question.find(/\b\d{4}-\d\d-\d\d\b/g);
  const time = question.find(/\b\d\d:\d\d\b/g);
  if (format !== "date-time" || day === undefined || time === undefined) return undefined;
  return { value: `${day.text}T${time.text}:00Z`, spans: [day, time] };
}

/** Returns the text after the tool's name, without leading function words. */
function findRest({ text, tokens }: Question, from: number): Span | undefined {
  const rest = tokens.filter(({ start }) => start >= from);
  const first = rest.find((token) => !/^(?:a|an|the|for|about|of|on|please|me|to|in)$/i.test(token.text));
  const last = rest.at(-1);
  if (first === undefined || last === undefined) return undefined;
  return { text: text.slice(first.start, last.end), start: first.start, end: last.end };
}

function toFound(span: Span | undefined, traits: { readonly isTelling?: true } = {}): FoundValue | undefined {
  return span && { value: span.text, spans: [span], ...traits };
}

/**
 * Compiles the author's pattern for an engine that takes linear time. Returns `undefined` if the engine does not
 * support the syntax.
 */
function toPattern(source: unknown): { matches(text: string): boolean } | undefined {
  if (typeof source !== "string" || source.length > 1_000) return undefined;
  try {
    const pattern = RE2JS.compile(RE2JS.translateRegExp(source));
    return { matches: (text) => pattern.matcher(text).find() };
  } catch {
    return undefined;
  }
}

function isScalar(value: unknown): value is string | number | boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}
