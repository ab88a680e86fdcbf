import { describe, expect, it } from "vitest";
import { chooseIntents } from "../src/choose-intents.ts";
import { decideRoute, type RouteQuestion, unservedIntents } from "../src/decide-route.ts";
import { entryOf, factsOf } from "./support.ts";

const works = factsOf(entryOf({ key: "mcp.search" }));
const disabled = factsOf(entryOf({ key: "mcp.search", enabled: false }));

function decide(change: Partial<RouteQuestion> & { isRequired?: boolean; capability?: typeof works } = {}) {
  const { isRequired = false, capability = works, ...rest } = change;
  const intents = [{ name: "web.search", tool: "web_search", isRequired, capabilities: [capability] }];
  return decideRoute({
    ...{ turn: 1, model: { provider: "openai", model: "gpt-5.4" }, routing: {}, isCallersChoice: false, intents },
    ...{
      otherTools: [],
      choice: chooseIntents({ listed: intents, applied: [], routing: {}, callersChoice: undefined }),
    },
    ...rest,
  });
}

describe("unservedIntents", () => {
  it.each([
    ["a required intent that no capability serves", { isRequired: true, capability: disabled }, ["web.search"]],
    ["no required intent that a capability serves", { isRequired: true }, []],
    ["no optional intent", { capability: disabled }, []],
  ])("names %s", (_name, change, unserved) => {
    expect(unservedIntents(decide(change))).toEqual(unserved);
  });
});
