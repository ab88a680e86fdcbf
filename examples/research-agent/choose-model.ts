/** A model, and the reason why it was chosen. */
export interface ChosenModel {
  readonly model: string;
  readonly why: string;
}

/** Chooses the first provider that has a key; otherwise a scripted model, which only matches words. */
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
