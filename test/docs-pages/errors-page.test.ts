import { ERROR_TABLE } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { tableRows } from "./page-tables.ts";

const rows = tableRows("docs/errors.md", ["code", "status", "retryable", "hint", "when"]);

describe("docs/errors.md", () => {
  it("has every code of the protocol's table once", () => {
    expect(rows.map(({ code }) => code).toSorted()).toEqual(Object.keys(ERROR_TABLE).toSorted());
  });

  it.each(Object.entries(ERROR_TABLE))("says of %s what the table says", (code, { status, isRetryable, hint }) => {
    const row = rows.find((candidate) => candidate["code"] === code);
    expect(row).toMatchObject({ status: String(status), retryable: isRetryable ? "yes" : "no", hint });
    expect(row?.["when"]).toMatch(/\.$/);
    // Messages of the command line, and problems of a gateway with YAGATE_DOCS_URL, lead here.
    expect(row?.["when"]).toContain(`<a id="${code}"></a>`);
  });

  it("has an anchor for each code, to which problems and the command line link", () => {
    for (const { code, when } of rows) expect(when).toContain(`<a id="${code}"></a>`);
  });
});
