import type { Candidate } from "./candidate.ts";
import { abbreviates, findIdentifiers, type IdentifierMention, prefixOf, shapeOf } from "./identifiers.ts";
import type { Property } from "./property.ts";
import type { Question } from "./question.ts";
import type { Span } from "./span.ts";
import { stem } from "./words.ts";

const IDENTIFIER_WORDS = new Set(
  "id no nr number code key ref reference sku isbn tracking uuid serial".split(" ").map(stem),
);

/** Whether a property is called an id, a number, a code or the like. */
export function namesIdentifier({ words }: Property): boolean {
  return words.some((word) => IDENTIFIER_WORDS.has(word));
}

/** Identifiers of the question that may belong to a property, by what its author says and by where they stand. */
export function identifierCandidates(property: Property, question: Question): readonly Candidate[] {
  const samples = samplesOf(property);
  return question.identifiers.flatMap((span): Candidate[] => {
    const score = scoreOf(span, property, samples);
    return score <= 0
      ? []
      : [{ value: span.text, score, span, isRepeatable: true, ...(score >= 3 ? { isTelling: true } : {}) }];
  });
}

function scoreOf(span: IdentifierMention, property: Property, samples: readonly string[]): number {
  const isIdentifier = namesIdentifier(property);
  // The id of a tool for orders is an order's, whatever else the tool takes is not.
  const subjects = [...property.words, ...(isIdentifier ? property.toolWords : [])].filter(
    (word) => !IDENTIFIER_WORDS.has(word),
  );
  const { before } = span;
  const prefix = prefixOf(span.text);
  let score = isIdentifier || typeof property.schema["pattern"] === "string" ? 1 : 0;
  if (samples.some((sample) => shapeOf(sample) === shapeOf(span.text))) score += prefixesAgree(samples, span) ? 3 : 1;
  if (subjects.some((word) => abbreviates(prefix, word)) || property.words.includes(prefix)) score += 2;
  if (property.words.includes(before)) score += 2;
  // "order ORD-1" says what kind of thing the identifier is of.
  else if (!subjects.includes(before) && abbreviates(prefix, before)) score -= 2;
  return score;
}

/** Values that the property's author gives: examples, and identifiers in its description. */
function samplesOf({ schema, description }: Property): readonly string[] {
  const examples: readonly unknown[] = Array.isArray(schema["examples"]) ? schema["examples"] : [schema["example"]];
  return [
    ...examples.filter((example) => typeof example === "string"),
    ...findIdentifiers(description, []).map((span) => span.text),
  ];
}

function prefixesAgree(samples: readonly string[], { text }: Span): boolean {
  return samples.some((sample) => prefixOf(sample) === prefixOf(text));
}
