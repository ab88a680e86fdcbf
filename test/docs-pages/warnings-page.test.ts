import { WARNING_TABLE } from "@yagate/protocol";
import { expect, it } from "vitest";
import { tableRows } from "./page-tables.ts";

it("docs/warnings.md has every code of the gateway's warnings with its severity, in the table's order", () => {
  const rows = tableRows("docs/warnings.md", ["code", "severity", "when"]);
  expect(rows.map(({ code, severity }) => [code, severity])).toEqual(
    Object.entries(WARNING_TABLE).map(([code, { severity }]) => [code, severity]),
  );
  for (const { when } of rows) expect(when).toMatch(/\.$/);
});
