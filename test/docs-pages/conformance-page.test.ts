import { expect, it } from "vitest";
import { parseTarget } from "../../packages/cli/src/conformance/conformance-options.ts";
import { obstacle } from "../../packages/cli/src/conformance/preflight.ts";
import type { Answer, Exchange } from "../../packages/cli/src/conformance/wire/exchange.ts";
import { reportOf } from "../../packages/cli/src/frame/error-report.ts";
import { tableRows } from "./page-tables.ts";

const rows = tableRows("docs/conformance.md", ["message", "cause or remedy", "status"]);

function answer(status: number, body = "", headers: Readonly<Record<string, string>> = {}): Answer {
  const given = new Map(Object.entries(headers));
  return { kind: "answer", status, headers: given, body: Buffer.from(body), tookMs: 1 };
}

const closed = (code: string): Exchange => ({ kind: "closed", code, tookMs: 1 });
const refused = (code: string) => answer(401, JSON.stringify({ error: { code, message: "no" } }));

function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

/** What prevents a run, in the order of the page. */
const OBSTACLES: readonly (Exchange | "not this machine")[] = [
  closed("ECONNREFUSED"),
  closed("DEPTH_ZERO_SELF_SIGNED_CERT"),
  answer(308, "", { location: "/tools" }),
  answer(200, "<html>", { "content-type": "text/html" }),
  answer(404),
  refused("SIGNATURE_MISMATCH"),
  refused("UNKNOWN_TOOL"),
  "not this machine",
];

it("names each obstacle", () => {
  expect(rows).toHaveLength(OBSTACLES.length);
});

it.each(rows.map((row, index) => [row["message"] ?? "", row, OBSTACLES[index]] as const))(
  "docs/conformance.md: %s",
  (message, row, met) => {
    const settings = { target: new URL("http://127.0.0.1:3000/"), tool: "lookup_order" };
    const error =
      met === "not this machine" || met === undefined
        ? thrownBy(() => parseTarget("https://handler.example/", undefined))
        : obstacle(met, { settings } as Parameters<typeof obstacle>[1]);
    const report = reportOf(error, "conformance");
    const words = message.split("…").map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
    expect(report.message).toMatch(new RegExp(words.join(".+")));
    expect(report.status).toBe(Number(row["status"]));
    // The remedies that name a variable or an option.
    for (const name of row["cause or remedy"]?.match(/NODE_\w+|--[\w-]+/g) ?? []) {
      expect(`${report.message} ${report.advice}`).toContain(name);
    }
  },
);
