import { expect, it } from "vitest";
import { HANDLER_OPTION_KEYS } from "../../packages/handler/src/create-handler.ts";
import { tableRows } from "./page-tables.ts";

it("docs/handler-reference.md has every option of a handler", () => {
  const rows = tableRows("docs/handler-reference.md", ["option", "default", "meaning"]);
  expect(rows.map(({ option }) => option)).toEqual(HANDLER_OPTION_KEYS);
});
