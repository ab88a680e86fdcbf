import {
  type InstalledToolkit,
  importToolsSchema,
  installToolTemplateSchema,
  toVisibleLine,
  toVisibleText,
} from "@yagate/protocol";
import { checkedBody } from "../checked-body.ts";
import { gatewayClient } from "../gateway-client.ts";
import { printWarnings } from "../print-warnings.ts";
import { parseJsonObject, readText } from "../read-text.ts";
import { table } from "../table.ts";
import { printFindings } from "./print-findings.ts";

interface ToolkitOptions {
  readonly credential?: string;
  readonly toolkit?: string;
  readonly prefix?: string;
}

/** Makes drafts of the operations of an OpenAPI document, all of them or none. */
export async function importTools(
  file: string,
  {
    operation: operations,
    server,
    ...rest
  }: ToolkitOptions & { readonly operation?: readonly string[]; readonly server?: string },
): Promise<void> {
  const body = {
    openapi: await readText(file),
    ...(operations === undefined ? {} : { operations }),
    ...(server === undefined ? {} : { server }),
    ...toolkitOf(rest),
  };
  const { warnings, auth, ...made } = await gatewayClient().tools.import(checkedBody(importToolsSchema, body));
  say(made);
  // A document can have hundreds of problems that kept no tool from being made.
  printWarnings(
    warnings?.filter(({ code }) => code !== "DOCUMENT_PROBLEM"),
    "",
  );
  for (const { host, setup } of auth) console.error(toVisibleLine(`${host} asks for a secret: ${setup}`));
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
  say(await gatewayClient().toolTemplates.install(id, checkedBody(installToolTemplateSchema, body)));
}

function toolkitOf({ credential, toolkit, prefix }: ToolkitOptions) {
  return {
    ...(credential === undefined ? {} : { credential }),
    ...(toolkit === undefined ? {} : { toolkitName: toolkit }),
    ...(prefix === undefined ? {} : { namePrefix: prefix }),
  };
}

function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}

function say({ toolkit, tools }: InstalledToolkit): void {
  console.log(toVisibleLine(`${toolkit.name} was made with ${counted(tools.length, "tool")}: ${toolkit.id}.`));
  for (const tool of tools) {
    console.log(`  ${[tool.name, tool.status, tool.id].map(toVisibleLine).join("  ")}`);
    printFindings(tool, "    ");
  }
}
