import type { Candidate } from "./candidate.ts";
import { identifierCandidates } from "./identifier-candidates.ts";
import { matchesPattern } from "./linear-pattern.ts";
import type { Property } from "./property.ts";
import type { Question } from "./question.ts";
import { formatOf, STRING_KINDS } from "./string-kinds.ts";
import { freeTextCandidates, labelledCandidates, quoteCandidates } from "./text-candidates.ts";

/** Everything in the question that a string property could mean, unless the property's own schema refuses it. */
export function stringCandidates(property: Property, question: Question): readonly Candidate[] {
  const kinds = STRING_KINDS.filter((kind) => kind.applies(property));
  const exclusive = kinds.find((kind) => kind.isExclusive === true);
  const candidates =
    exclusive === undefined
      ? [...kinds.flatMap((kind) => kind.find(property, question)), ...generalCandidates(property, question)]
      : exclusive.find(property, question);
  const identifiers = new Set<unknown>(question.identifiers.map((span) => span.text));
  return candidates.flatMap((candidate) => {
    const fit = fitOf(property, candidate.value);
    if (fit === "no") return [];
    // Any text may match a loose pattern; that an identifier does is no accident.
    const isTelling = fit === "pattern" && identifiers.has(candidate.value);
    return [isTelling ? { ...candidate, score: candidate.score + 2, isTelling } : candidate];
  });
}

function generalCandidates(property: Property, question: Question): readonly Candidate[] {
  const named = [...identifierCandidates(property, question), ...labelledCandidates(property, question)];
  if (formatOf(property) !== "") return named;
  return [...named, ...quoteCandidates(property, question), ...freeTextCandidates(property, question)];
}

const FORMATS: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    date: /^\d{4}-\d\d-\d\d$/,
    "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/,
    email: /^[^\s@]+@[^\s@]+$/,
    time: /^\d\d:\d\d:\d\d/,
    uri: /^[a-z][a-z\d+.-]*:/i,
    uuid: /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i,
  }),
);

function fitOf(property: Property, value: unknown): "yes" | "no" | "pattern" {
  if (typeof value !== "string") return "no";
  const { minLength, maxLength, pattern } = property.schema;
  if (typeof minLength === "number" && value.length < minLength) return "no";
  if (typeof maxLength === "number" && value.length > maxLength) return "no";
  const format = FORMATS.get(formatOf(property));
  if (format !== undefined && !format.test(value)) return "no";
  if (typeof pattern !== "string") return "yes";
  const matches = matchesPattern(pattern, value);
  if (matches === undefined) return "yes";
  return matches ? "pattern" : "no";
}
