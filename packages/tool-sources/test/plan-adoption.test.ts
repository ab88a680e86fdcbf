import type { RestDefinition } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { compileTool } from "../src/compile-tool.ts";
import { type PlannedAdoption, planAdoption } from "../src/plan-adoption.ts";
import type { CompileSettings, KnownTool, RawOperation } from "../src/port.ts";

const SETTINGS: CompileSettings = {
  ...{ name: "shop", kind: "openapi", url: null, auth: null, credential: "SHOP_KEY", credentials: {} },
  ...{ defaults: {}, overrides: {} },
};

const restOf = (name: string, url: string, rest: Partial<RestDefinition> = {}): RestDefinition => ({
  ...{ name, url, method: "GET", description: "Reads.", parameters: [], ...rest },
});

function published(name: string, url: string, accepts = false): KnownTool {
  const raw: RawOperation = { name, rest: restOf(name, url), scheme: null, security: [] };
  const version = compileTool(raw, SETTINGS);
  return { name, published: version, accepted: accepts ? version : null };
}

const KNOWN = [
  published("get_order", "https://api.shop.example/v1/orders/{id}"),
  published("get_order_2", "https://eu.shop.example/v1/orders/{id}"),
  published("list_orders", "https://api.shop.example/v1/orders"),
];

const namesOf = (planned: PlannedAdoption) =>
  "faults" in planned
    ? planned.faults.map(({ field, code }) => `${field} ${code}`)
    : planned.adopted.map(({ name }) => name);

describe("a tool follows the operation", () => {
  it.each<[string, RestDefinition, string | undefined, string]>([
    ["with its method and URL", restOf("mine", "https://api.shop.example/v1/orders/{id}"), undefined, "get_order"],
    ["with its path, on another server", restOf("mine", "https://test.example/v1/orders"), undefined, "list_orders"],
    [
      "with its path, if the parameters have other names",
      restOf("mine", "https://eu.shop.example/v1/orders/{orderId}"),
      undefined,
      "toolId AMBIGUOUS_OPERATION",
    ],
    ["with its name", restOf("list_orders", "https://api.shop.example/v2/all"), undefined, "list_orders"],
    [
      "that the request names",
      restOf("mine", "https://eu.shop.example/v1/orders/{orderId}"),
      "get_order_2",
      "get_order_2",
    ],
    ["only if there is one", restOf("mine", "https://api.shop.example/v2/all"), undefined, "toolId NO_OPERATION"],
    [
      "only with the same method",
      restOf("mine", "https://api.shop.example/v1/orders", { method: "POST" }),
      undefined,
      "toolId NO_OPERATION",
    ],
    ["only if the source has the named one", restOf("mine", "https://x.example/"), "none", "name NO_OPERATION"],
  ])("%s", (_what, rest, name, expected) => {
    const planned = planAdoption(KNOWN, new Map(), [{ toolId: "tool_1", version: 1, name, rest }], SETTINGS);
    expect(namesOf(planned)).toEqual([expected]);
  });
});

it("two tools do not follow one operation", () => {
  const rest = restOf("mine", "https://api.shop.example/v1/orders");
  const wanted = ["tool_1", "tool_2"].map((toolId) => ({ toolId, version: 1, rest }));
  expect(namesOf(planAdoption(KNOWN, new Map(), wanted, SETTINGS))).toEqual(["toolId OPERATION_TAKEN"]);
});

it("a tool keeps the credential that it has", () => {
  const url = "https://api.shop.example/v1/orders";
  const acceptedOf = (credential: string | undefined) => {
    const rest = restOf("mine", url, credential === undefined ? {} : { credential });
    const planned = planAdoption(KNOWN, new Map(), [{ toolId: "tool_1", version: 1, rest }], SETTINGS);
    const [tool] = "tools" in planned ? planned.tools : [];
    return { isSame: tool?.accepted?.hash === tool?.published?.hash, definition: tool?.accepted?.compiled.definition };
  };
  expect(acceptedOf("SHOP_KEY")).toMatchObject({ isSame: true });
  expect(acceptedOf("OTHER_KEY")).toMatchObject({ isSame: false, definition: { rest: { credential: "OTHER_KEY" } } });
});

it("an operation with another accepted definition has to be revoked first", () => {
  const known = [published("list_orders", "https://api.shop.example/v1/orders", true)];
  const rest = restOf("mine", "https://api.shop.example/v1/orders", { description: "Mine." });
  const planned = planAdoption(known, new Map(), [{ toolId: "tool_1", version: 1, rest }], SETTINGS);
  expect(namesOf(planned)).toEqual(["toolId ALREADY_ACCEPTED"]);
});
