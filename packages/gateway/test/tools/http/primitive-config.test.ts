import type { AgentPolicy, JsonObject } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { checkPrimitive } from "../../../src/tools/http/primitives/check-primitive.ts";
import { PRIMITIVES } from "../../../src/tools/http/primitives/primitives.ts";
import { startAsking } from "../../http/support/agents.ts";
import { startNetworkWorld } from "./support/network-world.ts";

const world = await startNetworkWorld();
const policy: AgentPolicy = { network: true, approval: "destructive" };

function check(builtin: "api_call" | "http_get" | "http_post" | "webhook", config?: JsonObject) {
  const primitive = PRIMITIVES.get(builtin);
  if (primitive === undefined) throw new Error("expected a primitive");
  const definition = { builtin, ...(config === undefined ? {} : { config }) };
  return checkPrimitive(primitive, definition, "tools[0]", policy).map(
    ({ severity, path, code }) => `${severity} ${path}: ${code}`,
  );
}

const UNDECLARED = ["warning tools[0].config.sideEffect: SIDE_EFFECT_UNDECLARED"];

describe("a primitive that is saved", () => {
  it.each<[string, string, readonly string[]]>([
    ["undeclared", "api_call", UNDECLARED],
    ["undeclared", "http_post", UNDECLARED],
    ["undeclared", "webhook", UNDECLARED],
    ["known to read", "http_get", []],
  ])("is %s: %s", (_what, name, found) => {
    expect(check([...PRIMITIVES.keys()].find((each) => each === name) ?? "http_get")).toEqual(found);
  });

  it("says what it does", () => {
    expect(check("api_call", { sideEffect: "destructive", risk: "business_write" })).toEqual([]);
    expect(check("api_call", { risk: "business_write" })).toEqual(UNDECLARED);
  });

  it.each([{ sideEffect: "deletes" }, { risk: "high" }])("is refused with what there is not: %j", (config) => {
    const [field = ""] = Object.keys(config);
    expect(check("api_call", config)).toEqual([expect.stringContaining(`error tools[0].config.${field}`)]);
  });
});

describe("a call of a primitive", () => {
  it.each<[string, JsonObject, object]>([
    ["runs unasked where nothing is declared", {}, { decision: "allowed" }],
    ["asks for what is destructive", { sideEffect: "destructive" }, { decision: "approval_required" }],
    ["asks by its risk", { sideEffect: "idempotent_write", risk: "destructive" }, { decision: "approval_required" }],
    ["asks always where that is said", { approval: "always" }, { decision: "approval_required" }],
  ])("%s", async (_what, config, decision) => {
    const { agent, callsOf, service } = world;
    const asking = await agent({ tools: [{ builtin: "http_post", config }] });
    const toolCalls = [{ name: "http_post", parameters: { url: service.url("/x"), body: {} } }];
    const body = { input: "go", script: { turns: [{ toolCalls }, { text: "done" }] } };
    const [made] = await callsOf(await startAsking(world, asking.id, body));
    expect(made).toMatchObject({ policyDecision: decision });
  });
});
