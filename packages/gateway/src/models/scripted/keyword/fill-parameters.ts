import type { JsonObject, JsonValue } from "@yagate/protocol";
import type { Candidate } from "./candidate.ts";
import { findCandidates } from "./candidates.ts";
import { asSchema, type Property, readProperties, readProperty, requiredNames, type Schema } from "./property.ts";
import type { Question } from "./question.ts";
import { overlaps, type Span } from "./span.ts";

const MAX_DEPTH = 5;
const MAX_PROPERTIES = 200;
/** From this score on a value belongs to an optional parameter. */
const CLEAR_SCORE = 3;

/** Parameters for one call, as far as the question gives them. */
export interface FilledParameters {
  readonly parameters: JsonObject;
  /** Names of required parameters that the question has no value for. */
  readonly missing: readonly string[];
  /** The values that were taken from the question, for comparing tools that want the same ones. */
  readonly taken: readonly Span[];
  /** Whether a value speaks for this tool by itself. */
  readonly isTelling: boolean;
  /** How many values fit clearly. */
  readonly clearValues: number;
  /** Further calls: the same with other values of one parameter. */
  readonly others: readonly JsonObject[];
}

/** Fills an object schema from the question; each piece of the question is used once. */
export function fillParameters(root: Schema, toolWords: readonly string[], question: Question): FilledParameters {
  const filling = new Filling(root, toolWords, question);
  const { value, missing } = filling.object(root, toolWords, 0);
  return {
    parameters: value,
    missing,
    taken: filling.taken,
    isTelling: filling.isTelling,
    clearValues: filling.clearValues,
    others: filling.repeated.length === 1 ? (filling.repeated[0] ?? []).map((other) => ({ ...value, ...other })) : [],
  };
}

interface Offer {
  readonly property: Property;
  readonly candidates: readonly Candidate[];
}

class Filling {
  readonly taken: Span[] = [];
  /** For each top-level parameter that could have other values: those. */
  readonly repeated: JsonObject[][] = [];
  isTelling = false;
  clearValues = 0;
  /** A schema that refers to itself has endlessly many. */
  #remainingProperties = MAX_PROPERTIES;
  readonly #root: Schema;
  readonly #toolWords: readonly string[];
  readonly #question: Question;

  constructor(root: Schema, toolWords: readonly string[], question: Question) {
    this.#root = root;
    this.#toolWords = toolWords;
    this.#question = question;
  }

  object(schema: Schema, words: readonly string[], depth: number): { value: JsonObject; missing: readonly string[] } {
    const value: JsonObject = {};
    const properties = readProperties(schema, { root: this.#root, words }).slice(0, this.#remainingProperties);
    this.#remainingProperties -= properties.length;
    const offers = properties
      .filter((property) => property.type !== "object" && property.type !== "array")
      .map((property) => ({ property, candidates: findCandidates(property, this.#question) }));
    const chosen = this.#assign(offers);
    for (const property of properties) {
      const candidate = chosen.get(property);
      const found = candidate?.value ?? this.#composed(property, depth) ?? fallbackOf(property);
      if (found !== undefined) value[property.name] = found;
    }
    if (depth === 0) this.#collectOthers(offers, chosen);
    return { value, missing: requiredNames(schema).filter((name) => !Object.hasOwn(value, name)) };
  }

  /** Best fits first; of equal ones the required property, then what comes first in schema and question. */
  #assign(offers: readonly Offer[]): Map<Property, Candidate> {
    const pairs = offers
      .flatMap(({ property, candidates }) => candidates.map((candidate) => ({ property, candidate })))
      .filter(({ property, candidate }) => property.isRequired || candidate.score >= CLEAR_SCORE)
      .sort(
        (left, right) =>
          right.candidate.score - left.candidate.score ||
          Number(right.property.isRequired) - Number(left.property.isRequired),
      );
    const chosen = new Map<Property, Candidate>();
    for (const { property, candidate } of pairs) {
      if (chosen.has(property) || this.#isTaken(candidate)) continue;
      chosen.set(property, candidate);
      this.#take(candidate);
    }
    return chosen;
  }

  #composed(property: Property, depth: number): JsonValue | undefined {
    if (depth >= MAX_DEPTH) return undefined;
    if (property.type === "object") return this.#nested(property, depth);
    return property.type === "array" ? this.#list(property, depth) : undefined;
  }

  #nested(property: Property, depth: number): JsonValue | undefined {
    const words = [...this.#toolWords, ...property.words];
    const { value, missing } = this.object(property.schema, words, depth + 1);
    return missing.length > 0 || Object.keys(value).length === 0 ? undefined : value;
  }

  #list(property: Property, depth: number): JsonValue | undefined {
    const { items, maxItems } = property.schema;
    const context = { isRequired: true, root: this.#root, words: this.#toolWords };
    const item = readProperty(property.name, asSchema(items), context);
    if (item.type === "object") {
      const value = this.#nested(item, depth);
      return value === undefined ? undefined : [value];
    }
    const best = findCandidates(item, this.#question).filter((candidate) => !this.#isTaken(candidate));
    const top = Math.max(0, ...best.map((candidate) => candidate.score));
    const limit = typeof maxItems === "number" ? maxItems : 20;
    const members = best.filter((candidate) => candidate.score === top).slice(0, limit);
    if (members.length === 0 || (!property.isRequired && top < CLEAR_SCORE)) return undefined;
    for (const member of members) this.#take(member);
    return [...new Set(members.map((member) => member.value))];
  }

  #collectOthers(offers: readonly Offer[], chosen: ReadonlyMap<Property, Candidate>): void {
    for (const { property, candidates } of offers) {
      const first = chosen.get(property);
      if (first?.isRepeatable !== true) continue;
      const others = candidates.filter(
        (candidate) =>
          candidate.isRepeatable === true &&
          candidate.score === first.score &&
          candidate.value !== first.value &&
          !this.#isTaken(candidate),
      );
      const values = [...new Set(others.map((candidate) => candidate.value))];
      if (values.length > 0) this.repeated.push(values.map((value) => ({ [property.name]: value })));
    }
  }

  #take({ span, score, isTelling }: Candidate): void {
    if (span !== undefined) this.taken.push(span);
    if (score >= CLEAR_SCORE) this.clearValues++;
    if (isTelling === true) this.isTelling = true;
  }

  #isTaken({ span }: Candidate): boolean {
    return span !== undefined && this.taken.some((other) => overlaps(span, other));
  }
}

/** What a required property is when the question says nothing. */
function fallbackOf({ isRequired, schema }: Property): JsonValue | undefined {
  const value = schema["default"];
  return isRequired && isScalar(value) ? value : undefined;
}

function isScalar(value: unknown): value is string | number | boolean | null {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}
