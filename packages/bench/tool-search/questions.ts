import type { SearchableTool } from "@yagate/tool-search/searchable-tool";
import { ANSWERED_FILES, type BfclFunction, readBfcl, readCapabilityQueries } from "../bfcl/corpus.ts";
import { toJsonSchema } from "../bfcl/json-schema.ts";
import { readMetaTool } from "../metatool/corpus.ts";
import { seededRandom } from "../search/measures.ts";

/** Queries, and the tools that each is about. */
export interface Question {
  /** All that is searched for. A user's question is one query; an agent may search several times. */
  readonly queries: readonly string[];
  readonly wanted: readonly string[];
  readonly group: string;
}

/** A catalogue of tools with questions about them. */
export interface Catalogue {
  readonly tools: readonly SearchableTool[];
  readonly questions: readonly Question[];
}

/**
 * The catalogue of all functions of BFCL with distinct names. `questions` are those of its users; `capabilities`, the
 * short queries of an agent.
 */
export async function bfclCatalogue(): Promise<Catalogue & { readonly capabilities: readonly Question[] }> {
  const cases = await readBfcl(ANSWERED_FILES);
  const functions = new Map<string, BfclFunction>();
  for (const one of cases.flatMap((item) => item.functions)) if (!functions.has(one.name)) functions.set(one.name, one);
  const tools = [...functions.values()].map((one) => ({ ...one, parameters: toJsonSchema(one.parameters) }));
  const questions = new Map(
    cases.map(({ id, file, messages, answer = [] }) => {
      const asked = messages.filter(({ role }) => role === "user").map(({ content }) => content);
      const wanted = [...new Set(answer.flatMap((call) => Object.keys(call)))];
      const group = file.startsWith("live_") ? "live" : "not live";
      return [id, { queries: [asked.join("\n")], wanted, group }];
    }),
  );
  const capabilities = (await readCapabilityQueries()).map(({ id, queries }) => {
    const question = questions.get(id);
    if (question === undefined) throw new Error(`expected a case ${id}`);
    return { ...question, queries };
  });
  return { tools, questions: [...questions.values()], capabilities };
}

/** The catalogue of MetaTool, with the queries for one tool and those for two. */
export async function metaToolCatalogue(): Promise<Catalogue> {
  const { tools, single, multiple } = await readMetaTool();
  const forOne = Object.entries(single).flatMap(([name, queries]) =>
    queries.map((query) => ({ queries: [query], wanted: [name], group: "one tool" })),
  );
  const forTwo = multiple.map(({ query, tools: wanted }) => ({ queries: [query], wanted, group: "two tools" }));
  return { tools: tools.map((tool) => ({ ...tool, parameters: {} })), questions: [...forOne, ...forTwo] };
}

/** Some tools of a catalogue, chosen by a seed, with the questions whose tools are all among them. */
export function sampleOf({ tools, questions }: Catalogue, size: number, seed: number): Catalogue {
  const random = seededRandom(seed);
  const chosen = [...tools]
    .map((tool) => ({ tool, order: random() }))
    .sort((left, right) => left.order - right.order)
    .slice(0, size)
    .map(({ tool }) => tool);
  const names = new Set(chosen.map(({ name }) => name));
  return { tools: chosen, questions: questions.filter(({ wanted }) => wanted.every((name) => names.has(name))) };
}
