import { createYielder } from "@yagate/lib/async/event-loop";
import { stem } from "@yagate/lib/language/stem";
import { isStopWord } from "@yagate/lib/language/stop-words";
import { createExactNames } from "./exact-names.ts";
import { namespacesOf, prefixOf } from "./namespaces.ts";
import type { SearchableTool } from "./searchable-tool.ts";
import { type FieldTerms, fieldTerms, languageOf, queryWords } from "./terms.ts";

/**
 * The weight of each field, and the two constants of BM25. They are the plain weights: tuning on half of the questions
 * of BFCL gained 0.012 recall on the other half and lost as much elsewhere.
 */
const WEIGHTS = { name: 3, description: 1, parameterNames: 0.5, details: 0.3 } as const satisfies Record<
  keyof FieldTerms,
  number
>;
const FIELDS = ["name", "description", "parameterNames", "details"] as const;
const K1 = 1.2;
const B = 0.75;

/** A query over a tool set. */
export interface ToolQuery {
  readonly query: string;
  /** Only tools of this namespace are found. It never changes their order. */
  readonly namespace?: string | undefined;
  /** Names of tools that are not found; default: none. */
  readonly without?: ReadonlySet<string> | undefined;
  /** Maximum number of tools, except that all tools that the query names are found. */
  readonly limit: number;
}

/** A searchable tool set. */
export interface ToolIndex {
  /** Number of tools. */
  readonly size: number;
  /** Returns the names of the tools that match a query, those that it names first, then the best matches first. */
  search(query: ToolQuery): readonly string[];
}

/** The tools that contain a stem, by position, and how much each contains of it. */
interface Postings {
  readonly tools: Uint32Array;
  readonly frequencies: Float32Array;
}

/**
 * Indexes a tool set. Takes about 0.1 ms per tool, and yields to the event loop every few milliseconds.
 *
 * @see S. Robertson, H. Zaragoza, M. Taylor, Simple BM25 extension to multiple weighted fields, CIKM 2004
 */
export async function createToolIndex(tools: readonly SearchableTool[]): Promise<ToolIndex> {
  const yieldWhenLong = createYielder(8);
  const namespaces = new Set(namespacesOf(tools.map(({ name }) => name)).map(({ name }) => name));
  const terms: FieldTerms[] = [];
  for (const tool of tools) {
    terms.push(fieldTerms(tool, namespaces));
    await yieldWhenLong();
  }
  const postings = new Map<string, [tool: number, frequency: number][]>();
  const meanLengths = FIELDS.map((field) => terms.reduce((sum, one) => sum + one[field].length, 0) / terms.length);
  for (const [position, fields] of terms.entries()) {
    const language = languageOf(tools[position] ?? { name: "", description: "", parameters: {} });
    for (const [term, frequency] of frequenciesOf(fields, meanLengths)) {
      const key = keyOf(term, language);
      const list = postings.get(key);
      if (list === undefined) postings.set(key, [[position, frequency]]);
      else list.push([position, frequency]);
    }
    await yieldWhenLong();
  }
  return new Bm25fIndex(tools, new Map([...postings].map(([key, list]) => [key, toPostings(list)])));
}

/** Returns how often a tool contains each stem, weighted by field and relative to the field's mean length. */
function frequenciesOf(fields: FieldTerms, meanLengths: readonly number[]): ReadonlyMap<string, number> {
  const frequencies = new Map<string, number>();
  for (const [index, field] of FIELDS.entries()) {
    const norm = 1 - B + (B * fields[field].length) / (meanLengths[index] || 1);
    for (const term of fields[field]) frequencies.set(term, (frequencies.get(term) ?? 0) + WEIGHTS[field] / norm);
  }
  return frequencies;
}

function toPostings(list: readonly (readonly [tool: number, frequency: number])[]): Postings {
  return { tools: Uint32Array.from(list, ([tool]) => tool), frequencies: Float32Array.from(list, ([, f]) => f) };
}

/** The same stem may mean different words in two languages. */
function keyOf(term: string, language: string): string {
  return `${language} ${term}`;
}

class Bm25fIndex implements ToolIndex {
  readonly size: number;
  readonly #names: readonly string[];
  readonly #languages: readonly string[];
  readonly #postings: ReadonlyMap<string, Postings>;
  readonly #exact: ReturnType<typeof createExactNames>;

  constructor(tools: readonly SearchableTool[], postings: ReadonlyMap<string, Postings>) {
    this.size = tools.length;
    this.#names = tools.map(({ name }) => name);
    this.#languages = [...new Set(tools.map(languageOf))];
    this.#postings = postings;
    this.#exact = createExactNames(this.#names);
  }

  search({ query, namespace, without, limit }: ToolQuery): readonly string[] {
    const isWanted = (name: string) =>
      (namespace === undefined || prefixOf(name) === namespace) && without?.has(name) !== true;
    const named = this.#exact.find(query).filter(isWanted);
    const known = new Set(named);
    const matches: string[] = [];
    for (const name of this.#ranked(query)) {
      if (named.length + matches.length >= limit) break;
      if (isWanted(name) && !known.has(name)) matches.push(name);
    }
    return [...named, ...matches];
  }

  /** Returns the tools that contain a word of the query, best first. */
  #ranked(query: string): readonly string[] {
    const scores = new Map<number, { sum: number; covered: number }>();
    let total = 0;
    for (const word of queryWords(query)) {
      const found = this.#postingsOf(word);
      const holders = found.reduce((sum, { tools }) => sum + tools.length, 0);
      const weight = Math.log(1 + (this.size - holders + 0.5) / (holders + 0.5));
      total += weight;
      for (const { tools, frequencies } of found) {
        for (const [index, tool] of tools.entries()) {
          const frequency = frequencies[index] ?? 0;
          const gain = (weight * frequency * (K1 + 1)) / (frequency + K1);
          const score = scores.get(tool);
          if (score === undefined) scores.set(tool, { sum: gain, covered: weight });
          else {
            score.sum += gain;
            score.covered += weight;
          }
        }
      }
    }
    return [...scores]
      .map(([tool, { sum, covered }]) => ({ tool, score: sum * (1 + covered / total) }))
      .sort((left, right) => right.score - left.score || left.tool - right.tool)
      .map(({ tool }) => this.#names[tool] ?? "");
  }

  #postingsOf(word: string): readonly Postings[] {
    return this.#languages.flatMap((language) => {
      // It was left out of the tools of this language.
      const found = isStopWord(word, [language])
        ? undefined
        : this.#postings.get(keyOf(stem(word, language), language));
      return found === undefined ? [] : [found];
    });
  }
}
