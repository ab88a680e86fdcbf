import { afterAll, expect, it } from "vitest";
import { problemOf } from "../support/agents.ts";
import { describedTool } from "../support/describing-handler.ts";
import { startToolSourceWorld } from "../support/tool-source-world.ts";

const world = await startToolSourceWorld();
afterAll(() => world.stop());

const agentWith = (tool: object) => ({ name: "a", model: "scripted/turns", tools: [tool] });

it.each<[string, (name: string) => object, string, RegExp]>([
  [
    "the name of a tool as models read it",
    (source) => ({ source, tools: [`${source}.lookup`] }),
    "tools[0].tools[0]: UNKNOWN_TOOL",
    /: \{ "source": "source_\d+", "tools": \["lookup"\] \}$/,
  ],
  [
    "a slip in the name of a tool",
    (source) => ({ source, tools: ["lokup"] }),
    "tools[0].tools[0]: UNKNOWN_TOOL",
    /: did you mean lookup\?$/,
  ],
  [
    "such a name in the place of a workspace tool",
    (source) => ({ tool: `${source}.lookup` }),
    "tools[0].tool: INVALID_FORMAT",
    /^expected an id that starts with tool_; for the tool lookup of the tool source source_\d+: \{ "source": "source_\d+", "tools": \["lookup"\] \}$/,
  ],
  [
    "such a name in the place of the source",
    (source) => ({ source: `${source}.lookup` }),
    "tools[0].source: INVALID_FORMAT",
    /: \{ "source": "source_\d+", "tools": \["lookup"\] \}$/,
  ],
])("an agent is refused with %s, and the error says what to write", async (_what, toolOf, place, message) => {
  const source = await world.makeSource(await world.startHandler([describedTool("lookup")]));
  const { errors = [] } = problemOf(await world.call("createAgent", { body: agentWith(toolOf(source.name)) }));
  expect(errors.map(({ path, code }) => `${path}: ${code}`)).toEqual([place]);
  expect(errors[0]?.message).toMatch(message);
});
