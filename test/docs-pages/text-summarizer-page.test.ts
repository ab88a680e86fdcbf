import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createExtractiveSummarizer } from "@yagate/builtins/text-summarizer/extractive/extractive-summarizer";
import { createExecutionSchema } from "@yagate/protocol";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { summarizerConfigSchema } from "../../packages/builtins/src/text-summarizer/summary-request.ts";
import { createTextSummarizerTool } from "../../packages/builtins/src/text-summarizer/text-summarizer-tool.ts";
import { builtinContext } from "../../packages/builtins/test/builtin-context.ts";
import { execute, makeAgent } from "../../packages/gateway/test/http/support/agents.ts";
import { startWorld } from "../../packages/gateway/test/http/support/world.ts";
import { repositoryRoot } from "../../scripts/repository-root.ts";
import { codeBlocks } from "../docs-blocks/code-blocks.ts";
import { tableRows } from "./page-tables.ts";
import { toolExamples } from "./tool-examples.ts";

const GUIDE = "docs/text-summarizer.md";
const REFERENCE = "docs/text-summarizer-reference.md";
const extractor = createExtractiveSummarizer();
const tool = createTextSummarizerTool({ artifacts: { find: async () => undefined }, extractor });
const world = await startWorld({ logLevel: "silent" });
afterAll(async () => {
  await world.stop();
  await extractor.close();
});

/** The blocks that are no examples of a call: an execution, its result, an agent's entry. */
const asides = [GUIDE, REFERENCE].flatMap((page) =>
  codeBlocks(page, readFileSync(join(repositoryRoot, page), "utf8")).filter(({ marks }) => marks.includes("aside")),
);

describe("the pages about the summarizer", () => {
  it.each(toolExamples(GUIDE))("$place, $section", async ({ parameters, outcome }) => {
    const context = builtinContext({ now: Date.now, deadline: Date.now() + 60_000 });
    expect(await tool.execute(parameters, context)).toEqual(outcome);
  });

  it("shows an execution that comes to the result below it", async () => {
    const [, run, shown] = asides.map(({ text }): unknown => JSON.parse(text));
    const agent = await makeAgent(world, { tools: [{ builtin: "text_summarizer" }] });
    const { id } = await execute(world, agent.id, createExecutionSchema.parse(run));
    const { body } = await world.call("listToolCalls", { params: { id } });
    const { data } = z.object({ data: z.array(z.looseObject({ result: z.unknown() })) }).parse(body);
    expect(data.map(({ result }) => result)).toEqual([shown]);
  });

  it.each([0, 3])("shows an entry that an agent can be saved with: aside %i", async (index) => {
    const entry: unknown = JSON.parse(asides[index]?.text ?? "");
    expect(await makeAgent(world, { tools: [entry] })).toMatchObject({ tools: [entry] });
  });

  it("has every parameter and every field of the configuration", () => {
    const named = (rows: readonly Readonly<Record<string, string>>[], column: string) => rows.map((row) => row[column]);
    expect(named(tableRows(REFERENCE, ["parameter", "default", "meaning"]), "parameter").toSorted()).toEqual(
      Object.keys(Object(tool.parameters["properties"])).toSorted(),
    );
    expect(named(tableRows(REFERENCE, ["config", "default", "meaning"]), "config")).toEqual(
      Object.keys(summarizerConfigSchema.shape),
    );
  });
});
