import { defined } from "@yagate/lib/objects/defined";
import { type InstalledToolkit, installToolTemplateSchema, toVisibleLine } from "@yagate/protocol";
import { commandName } from "../command-name.ts";
import { checkedBody } from "../frame/checked-body.ts";
import type { Invocation } from "../frame/invocation.ts";
import { parseJsonObject } from "../read-text.ts";
import { table } from "../text/table.ts";
import { findingsOf } from "./findings.ts";

/** Options that import and installation share. */
export interface ToolkitOptions {
  readonly credential?: string;
  readonly toolkit?: string;
  readonly prefix?: string;
}

/** Prints the available templates for public APIs. */
export async function listTemplates(invocation: Invocation): Promise<void> {
  const templates = await (await invocation.client()).toolTemplates.list({ limit: 200 }).toArray();
  const rows = templates.map(({ id, service, title, credential, tools }) => [
    ...[id, service, String(tools.length)],
    ...[credential?.auth.type ?? "-", title],
  ]);
  invocation.output.result(templates, () => table([["ID", "SERVICE", "TOOLS", "CREDENTIAL", "TITLE"], ...rows]));
}

/** Creates the tools of a template. */
export async function installTemplate(
  invocation: Invocation,
  id: string,
  { tool: tools, values, ...rest }: ToolkitOptions & { readonly tool?: readonly string[]; readonly values?: string },
): Promise<void> {
  const body = {
    ...defined({ tools }),
    ...(values === undefined ? {} : { values: parseJsonObject(values, "--values") }),
    ...toolkitOf(rest),
  };
  const made = await (await invocation.client()).toolTemplates.install(
    id,
    checkedBody(installToolTemplateSchema, body),
  );
  sayToolkit(invocation, made);
  if (made.tools.some(({ status }) => status === "configured")) {
    invocation.output.note(
      `Before agents can use a tool: ${commandName()} tools test, then tools validate, then tools finalize.`,
    );
  }
}

/** Converts these options to fields of a request. */
export function toolkitOf({ credential, toolkit, prefix }: ToolkitOptions) {
  return {
    ...defined({ credential, toolkitName: toolkit, namePrefix: prefix }),
  };
}

function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}

/**
 * Prints a new toolkit and its tools.
 *
 * @param withoutSecret - names of tools that have no secret for their requests yet.
 */
export function sayToolkit(
  { output }: Invocation,
  made: InstalledToolkit,
  withoutSecret: ReadonlySet<string> = new Set(),
): void {
  const { toolkit, tools } = made;
  const heading = `${toolkit.name} was created with ${counted(tools.length, "tool")}: ${toolkit.id}.`;
  const rows = tools.flatMap((tool) => [
    `  ${[tool.name, tool.status, tool.id].map(toVisibleLine).join("  ")}`,
    ...findingsOf(tool, { indent: "    ", lacksSecret: withoutSecret.has(tool.name) }),
  ]);
  output.result(made, () => [toVisibleLine(heading), ...rows].join("\n"));
  output.warnings(toolkit.warnings);
  for (const { remarks } of tools) output.warnings(remarks);
}
