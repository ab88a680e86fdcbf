import type { Candidate } from "./candidate.ts";
import type { NumberMention } from "./numbers.ts";
import type { Property } from "./property.ts";
import type { Question } from "./question.ts";
import { stringCandidates } from "./string-candidates.ts";
import { hasSynonym, readWords } from "./words.ts";

/** Everything in the question that could be the value of a property that is neither an object nor an array. */
export function findCandidates(property: Property, question: Question): readonly Candidate[] {
  const choices = choicesOf(property);
  if (choices !== undefined) return mentionedChoices(choices, question);
  switch (property.type) {
    case "boolean":
      return booleanCandidates(property, question);
    case "number":
    case "integer":
      return numberCandidates(property, question);
    default:
      return stringCandidates(property, question);
  }
}

type Choice = string | number | boolean;

function choicesOf({ schema }: Property): readonly Choice[] | undefined {
  const values: unknown = "const" in schema ? [schema["const"]] : schema["enum"];
  return Array.isArray(values) ? values.filter(isChoice) : undefined;
}

function isChoice(value: unknown): value is Choice {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

/** Values of an enum that the question mentions; the only value there is needs no mention. */
function mentionedChoices(choices: readonly Choice[], question: Question): readonly Candidate[] {
  const [only] = choices;
  if (choices.length === 1 && only !== undefined) return [{ value: only, score: 1 }];
  const { words, stems } = question;
  const mentioned = choices.flatMap((value): Candidate[] => {
    const wanted = readWords(String(value)).map((word) => word.stem);
    const start = words.findIndex((_word, index) =>
      wanted.every((stem, offset) => words[index + offset]?.stem === stem),
    );
    const first = words[start];
    const last = words[start + wanted.length - 1];
    if (wanted.length === 0 || first === undefined || last === undefined) return [];
    const span = { text: question.text.slice(first.start, last.end), start: first.start, end: last.end };
    return [{ value, score: 3 + wanted.length, span }];
  });
  // "what time is it" means now.
  const meant = choices.filter((value) => readWords(String(value)).some((word) => hasSynonym(word.stem, stems)));
  return mentioned.length > 0 ? mentioned : meant.map((value) => ({ value, score: 2 }));
}

function booleanCandidates({ words }: Property, question: Question): readonly Candidate[] {
  const subject = words.filter((word) => !/^(?:is|has|should|with|includ|us|enabl)$/.test(word));
  const index = question.words.findIndex((_word, at) =>
    subject.every((word, offset) => question.words[at + offset]?.stem === word),
  );
  const first = question.words[index];
  if (subject.length === 0 || first === undefined) return [];
  const lead = question.text.slice(Math.max(0, first.start - 12), first.start);
  return [{ value: !/\b(?:no|not|without|don't)(?: any| a)? $/i.test(lead), score: 3 }];
}

function numberCandidates(property: Property, question: Question): readonly Candidate[] {
  return question.numbers
    .filter(({ value }) => isAllowed(value, property))
    .map((span) => ({ value: span.value, score: isNamed(property, span) ? 4 : 1, span }));
}

function isAllowed(value: number, { type, schema }: Property): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  return (
    (type === "number" || Number.isInteger(value)) &&
    !(typeof minimum === "number" && value < minimum) &&
    !(typeof maximum === "number" && value > maximum) &&
    !(typeof exclusiveMinimum === "number" && value <= exclusiveMinimum) &&
    !(typeof exclusiveMaximum === "number" && value >= exclusiveMaximum)
  );
}

/** "3 nights", "quantity of 3", "€20" for a price: a word of the property's name stands beside the number. */
function isNamed({ words }: Property, { beside, isMoney }: NumberMention): boolean {
  if (beside.some((word) => words.includes(word))) return true;
  return isMoney && words.some((word) => /^(?:amount|pric|total|cost|budget|sum)$/.test(word));
}
