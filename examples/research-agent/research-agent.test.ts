import { describe, expect, it, onTestFinished } from "vitest";
import { checkCitations } from "./check-citations.ts";
import { chooseModel } from "./choose-model.ts";
import { setUp } from "./set-up.ts";

async function start(model: string) {
  const desk = await setUp(model);
  onTestFinished(() => desk.stop());
  return desk;
}

describe("the research agent", () => {
  it.each([
    ["Search for who may seek asylum in other countries", "local:///article-14.md"],
    ["Search for free elementary education", "local:///article-26.md"],
    ["Search for holidays with pay", "local:///article-24.md"],
  ])("answers from its documents, with citations: %s", async (input, url) => {
    const { yagate, agentId } = await start("scripted/keyword");
    const execution = await yagate.agents.execute(agentId, { input });
    expect(execution).toMatchObject({ status: "completed", toolCalls: [{ name: "web_search", status: "completed" }] });
    expect(execution.toolCalls[0]?.result).toMatchObject({ provider: "local", source_untrusted: true });
    const check = checkCitations(execution.output?.text ?? "", execution.toolCalls);
    expect(check).toMatchObject({ unknown: [], misquoted: [] });
    expect(check.sources[0]).toMatchObject({ id: 1, url });
  });

  it("is caught when it cites an unread source or misquotes one", async () => {
    const { yagate, agentId } = await start("scripted/turns");
    const execution = await yagate.agents.execute(agentId, {
      input: "…",
      script: {
        turns: [
          { toolCalls: [{ name: "web_search", parameters: { query: "slavery" } }] },
          { text: "“No one shall be held in slavery or servitude” [1]. “Slavery pays” [1]. It ended in 1888 [9]." },
        ],
      },
    });
    const { sources, unknown, misquoted } = checkCitations(execution.output?.text ?? "", execution.toolCalls);
    expect(sources.map(({ url }) => url)).toEqual(["local:///article-04.md"]);
    expect({ unknown, misquoted }).toEqual({ unknown: [9], misquoted: ["Slavery pays"] });
  });

  it("says that it found nothing if no document matches", async () => {
    const { yagate, agentId } = await start("scripted/keyword");
    const { output, toolCalls } = await yagate.agents.execute(agentId, { input: "Search for zyxwvuts" });
    expect(output?.text).toBe("web_search found nothing.");
    expect(checkCitations(output?.text ?? "", toolCalls).sources).toEqual([]);
  });

  it("understands only questions that begin as the README says", async () => {
    const { yagate, agentId } = await start("scripted/keyword");
    const { output } = await yagate.agents.execute(agentId, { input: "How do I get educated?" });
    expect(output?.text).toContain("No tool fits this question");
  });

  // Where a key is: a model that understands, over its provider's network. It must cite, and only what was found.
  const real = chooseModel({ ...process.env, EXAMPLE_MODEL: undefined });
  it.skipIf(real.model === "scripted/keyword")(
    "answers with a real model",
    async () => {
      const { yagate, agentId } = await start(real.model);
      const execution = await yagate.agents.execute(agentId, { input: "Who may seek asylum in other countries?" });
      const check = checkCitations(execution.output?.text ?? "", execution.toolCalls);
      expect(check.unknown).toEqual([]);
      expect(check.sources.map(({ url }) => url)).toContain("local:///article-14.md");
    },
    120_000,
  );
});

it.each([
  [{}, "scripted/keyword"],
  [{ ANTHROPIC_API_KEY: "x" }, "anthropic/claude-sonnet-4-20250514"],
  [{ OPENAI_API_KEY: "x" }, "openai/gpt-5-mini"],
  [{ OPENAI_API_KEY: "x", EXAMPLE_MODEL: "scripted/turns" }, "scripted/turns"],
])("with %j in the environment the model is %s", (environment, model) => {
  expect(chooseModel(environment).model).toBe(model);
});
