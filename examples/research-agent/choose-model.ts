/** A model, and why it was taken. */
export interface ChosenModel {
  readonly model: string;
  readonly why: string;
}

/** The first provider whose key is there; without any, a model that understands nothing. */
const MODELS = [
  ["ANTHROPIC_API_KEY", "anthropic/claude-sonnet-4-20250514"],
  ["OPENAI_API_KEY", "openai/gpt-5-mini"],
] as const;

export function chooseModel(environment: Readonly<Record<string, string | undefined>>): ChosenModel {
  const named = environment["EXAMPLE_MODEL"];
  if (named !== undefined && named !== "") return { model: named, why: "EXAMPLE_MODEL names it" };
  const found = MODELS.find(([key]) => (environment[key] ?? "") !== "");
  if (found !== undefined) return { model: found[1], why: `${found[0]} is in the environment` };
  const why = "no key is in the environment. It matches words, quotes what the search found and understands nothing";
  return { model: "scripted/keyword", why };
}
