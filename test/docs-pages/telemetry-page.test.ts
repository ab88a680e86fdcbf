import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGateway } from "@yagate/gateway";
import { expect, it, onTestFinished } from "vitest";
import { tableRows } from "./page-tables.ts";

const PAGE = "docs/telemetry.md";
const REFERENCE = "docs/telemetry-reference.md";
const KEY = "yk_of_a_test_0000";

/** The metrics of a running gateway, each with its type. */
async function servedMetrics(): Promise<readonly { readonly metric: string; readonly type: string }[]> {
  const dataDir = await mkdtemp(join(tmpdir(), "yagate-docs-"));
  const gateway = createGateway({ port: 0, dataDir, apiKey: KEY, logLevel: "silent" });
  onTestFinished(async () => {
    await gateway.stop();
    await rm(dataDir, { recursive: true });
  });
  const { url } = await gateway.start();
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${KEY}` } });
  const types = (await response.text()).matchAll(/^# TYPE (yagate_\S+) (\S+)$/gm);
  return [...types].map(([, metric = "", type = ""]) => ({ metric, type }));
}

const byName = (left: { readonly metric: string }, right: { readonly metric: string }) =>
  left.metric.localeCompare(right.metric);

it(`${REFERENCE} has every metric of a running gateway, and its type`, async () => {
  const rows = tableRows(REFERENCE, ["metric", "type", "labels", "meaning"]);
  const named = rows.map(({ metric = "", type = "" }) => ({ metric, type }));
  expect(named.toSorted(byName)).toEqual((await servedMetrics()).toSorted(byName));
});

it(`${PAGE} alerts on metrics that exist`, async () => {
  const known = new Set((await servedMetrics()).map(({ metric }) => metric));
  const rows = tableRows(PAGE, ["when", "expression and duration", "why"]);
  const used = rows.flatMap((row) =>
    [...(row["expression and duration"] ?? "").matchAll(/yagate_[a-z_]+/g)].map(([name]) => name),
  );
  expect(used.length).toBeGreaterThan(10);
  expect(used.map((name) => name.replace(/_bucket$/, "")).filter((name) => !known.has(name))).toEqual([]);
});
