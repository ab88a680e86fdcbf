import { type InstalledToolkit, installToolTemplateSchema, toVisibleLine, toVisibleText } from "@yagate/protocol";
import { checkedBody } from "../checked-body.ts";
import { commandName } from "../command-name.ts";
import { gatewayClient } from "../gateway-client.ts";
import { printWarnings } from "../print-warnings.ts";
import { parseJsonObject } from "../read-text.ts";
import { table } from "../table.ts";
import { printFindings } from "./print-findings.ts";

/** How a toolkit is made, however its tools come about. */
export interface ToolkitOptions {
  readonly credential?: string;
  readonly toolkit?: string;
  readonly prefix?: string;
}

/** Prints the ready toolkits for public APIs. */
export async function listTemplates({ json = false }: { readonly json?: boolean }): Promise<void> {
  const templates = await gatewayClient().toolTemplates.list({ limit: 200 }).toArray();
  const rows = templates.map(({ id, service, title, credential, tools }) => [
    ...[id, service, String(tools.length)],
    ...[credential?.auth.type ?? "-", title],
  ]);
  const shown = json
    ? toVisibleText(JSON.stringify(templates, null, 2))
    : table([["ID", "SERVICE", "TOOLS", "CREDENTIAL", "WHAT FOR"], ...rows]);
  console.log(shown);
}

/** Clones a template into tools of the workspace. */
export async function installTemplate(
  id: string,
  { tool: tools, values, ...rest }: ToolkitOptions & { readonly tool?: readonly string[]; readonly values?: string },
): Promise<void> {
  const body = {
    ...(tools === undefined ? {} : { tools }),
    ...(values === undefined ? {} : { values: parseJsonObject(values, "--values") }),
    ...toolkitOf(rest),
  };
  const made = await gatewayClient().toolTemplates.install(id, checkedBody(installToolTemplateSchema, body));
  sayToolkit(made);
  if (made.tools.some(({ status }) => status === "configured")) {
    console.log(`Before an agent can have a tool: ${commandName()} tools test, tools validate, tools finalize.`);
  }
}

/** The part of a request that these options are. */
export function toolkitOf({ credential, toolkit, prefix }: ToolkitOptions) {
  return {
    ...(credential === undefined ? {} : { credential }),
    ...(toolkit === undefined ? {} : { toolkitName: toolkit }),
    ...(prefix === undefined ? {} : { namePrefix: prefix }),
  };
}

function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}

/**
 * Prints a toolkit that was just made, and its tools.
 *
 * @param withoutSecret - names of tools that lack the secret that their requests need.
 */
export function sayToolkit({ toolkit, tools }: InstalledToolkit, withoutSecret: ReadonlySet<string> = new Set()): void {
  console.log(toVisibleLine(`${toolkit.name} was made with ${counted(tools.length, "tool")}: ${toolkit.id}.`));
  printWarnings(toolkit.warnings);
  for (const tool of tools) {
    console.log(`  ${[tool.name, tool.status, tool.id].map(toVisibleLine).join("  ")}`);
    printFindings(tool, { indent: "    ", lacksSecret: withoutSecret.has(tool.name) });
  }
}
