import { expect, it } from "vitest";
import { PRIMITIVES } from "../../packages/gateway/src/tools/http/primitives/primitives.ts";
import { tableRows } from "./page-tables.ts";

const PAGE = "docs/http-tools.md";
const codes = (cell = "") => (cell.includes("`") ? Array.from(cell.matchAll(/`(\w+)`/g), ([, name]) => name) : [cell]);

it(`${PAGE} has the methods, destinations, credentials and side effects of the primitives`, () => {
  const columns = ["tool", "method", "allowed destination", "credential", "side effect"];
  const stated = tableRows(PAGE, columns).map((row) => ({
    name: row["tool"],
    methods: codes(row["method"]),
    destination: row["allowed destination"]?.includes("`webhookUrls`") === true ? "webhooks" : "integrations",
    takesCredential: row["credential"] !== "none",
    sideEffect: row["side effect"],
  }));
  const primitives = [...PRIMITIVES.values()].map((primitive) => ({
    name: primitive.name,
    methods:
      primitive.method === undefined
        ? Object(Object(primitive.parameters["properties"])["method"])["enum"]
        : [primitive.method],
    destination: primitive.destination,
    takesCredential: primitive.takesCredential,
    sideEffect: primitive.sideEffect ?? "undeclared",
  }));
  expect(stated).toEqual(primitives);
});
