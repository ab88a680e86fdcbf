import { isJsonObject } from "@yagate/lib/json/json-object";
import { type ToolSource, type ToolSourceTest, toVisibleLine } from "@yagate/protocol";
import { EXIT } from "../frame/exit-status.ts";
import type { Invocation } from "../frame/invocation.ts";
import { findSource } from "./find-source.ts";

/** Maximum number of tools that a row names. `--json` has all of them. */
const MAX_NAMED_TOOLS = 50;

type Row = readonly [label: string, value: string];

/** Reads a source now and prints what a sync would find. The exit status is 1 if the source cannot be read. */
export async function testSource(invocation: Invocation, nameOrId: string): Promise<void> {
  const client = await invocation.client();
  const source = await findSource(client, nameOrId);
  const test = await client.sources.test(source.id);
  invocation.output.result(test, () => describe(source, test));
  if (test.reason !== null) process.exitCode = EXIT.answerIsNo;
}

function describe(source: ToolSource, test: ToolSourceTest): string {
  const { reason, status, durationMs } = test;
  const heading =
    reason === null
      ? `${source.name} can be read (${durationMs} ms). A sync would set its status to ${status}.`
      : `${source.name} cannot be read. A sync would set its status to ${status}.`;
  const rows = reason === null ? foundRows(source, test) : [["reason", `${reason.code}: ${reason.message}`] as const];
  return [heading, ...rows.map(([label, value]) => `${label.padEnd(16)}${toVisibleLine(value)}`)].join("\n");
}

function foundRows(source: ToolSource, test: ToolSourceTest): readonly Row[] {
  const { revision, generator, tools, skippedTools, changes } = test;
  const published = tools.filter(({ hash }) => hash !== null);
  const held = published.filter(({ state }) => state !== "accepted").map(({ toolName }) => toolName);
  const accepted = published.length - held.length;
  const rows: readonly (readonly [label: string, value: string | null])[] = [
    identityRow(source),
    [source.kind === "openapi" ? "document" : "revision", revision],
    ["schemas", generator],
    ["tools", `${published.length}, ${accepted} accepted`],
    ["held", listOf(held)],
    ...skippedTools.map(({ name, reason }) => ["skipped", `${name}: ${reason}`] as const),
    ["would add", listOf(changes.added)],
    ["would change", listOf(changes.changed)],
    ["would remove", listOf(changes.removed)],
  ];
  return rows.flatMap(([label, value]) => (value === null || value === "" ? [] : [[label, value] as const]));
}

function listOf(names: readonly string[]): string {
  const rest = names.length > MAX_NAMED_TOOLS ? ` and ${names.length - MAX_NAMED_TOOLS} more` : "";
  return `${names.slice(0, MAX_NAMED_TOOLS).join(", ")}${rest}`;
}

/** Says which identity the source accepted. */
function identityRow({ signingSecret, auth }: ToolSource): Row {
  if (signingSecret !== undefined) return ["signature", `valid, with the signing secret ${signingSecret}`];
  if (!isJsonObject(auth)) return ["credential", "none is sent"];
  const { credential, oauth } = auth;
  if (typeof credential === "string") return ["credential", `accepted: ${credential}`];
  return ["credential", `accepted: signed in with ${isJsonObject(oauth) ? String(oauth["issuer"]) : "OAuth"}`];
}
