import { ApiError } from "@yagate/client";
import { defined } from "@yagate/lib/objects/defined";
import {
  type ImportedToolkit,
  type ImportTools,
  importToolsSchema,
  listImportOperationsSchema,
  toVisibleLine,
} from "@yagate/protocol";
import { checkedBody } from "../frame/checked-body.ts";
import type { Invocation } from "../frame/invocation.ts";
import { table } from "../text/table.ts";
import { toCredentialPair } from "./credential-pairs.ts";
import { isImportConflict, printImportDifference } from "./import-difference.ts";
import { sayToolkit, type ToolkitOptions, toolkitOf } from "./install.ts";
import { readDocumentSet } from "./read-document-set.ts";
import { secretCommandsOf } from "./secret-command-of.ts";

const MAX_NAMED = 3;

interface ImportOptions extends ToolkitOptions {
  readonly operation?: readonly string[];
  readonly tag?: readonly string[];
  readonly path?: readonly string[];
  readonly server?: string;
  /** The secrets for security schemes, each as `scheme=NAME`. */
  readonly credentialFor?: readonly string[];
  /** Whether to list the operations without creating anything. */
  readonly list?: boolean;
}

/**
 * Creates a draft for each operation in an OpenAPI document: either all drafts or none. If tools with these names
 * exist, prints how they differ, and exits with status 1.
 */
export async function importTools(invocation: Invocation, file: string, options: ImportOptions): Promise<void> {
  const { operation: operations, tag: tags, path: paths, server, credentialFor, list = false } = options;
  const { output } = invocation;
  const selection = {
    ...(await readDocumentSet(file)),
    ...defined({ operations, tags, paths }),
  };
  if (list) return listOperations(invocation, selection);
  const body = {
    ...selection,
    ...defined({ server }),
    ...(credentialFor === undefined ? {} : { credentials: Object.fromEntries(credentialFor.map(toCredentialPair)) }),
    ...toolkitOf(options),
  };
  const made = await importOrCompare(invocation, file, checkedBody(importToolsSchema, body));
  if (made === undefined) return;
  const needs = needsOf(made, options);
  sayToolkit(invocation, made, new Set(needs.flatMap(({ tools }) => tools)));
  // A document can contain hundreds of problems that did not affect any tool.
  output.warnings(
    made.warnings?.filter(({ code }) => code !== "DOCUMENT_PROBLEM"),
    "",
  );
  for (const { line, commands } of needs) output.note([line, ...commands].map(toVisibleLine).join("\n  "));
}

/** Returns what was created; undefined if the tools exist, and their differences were printed. */
async function importOrCompare(
  invocation: Invocation,
  file: string,
  body: ImportTools,
): Promise<ImportedToolkit | undefined> {
  const client = await invocation.client();
  try {
    return await client.tools.import(body);
  } catch (error) {
    if (!ApiError.is(error) || !isImportConflict(error)) throw error;
    await printImportDifference(invocation, error, file);
    return undefined;
  }
}

/** Returns the secrets that are still missing, with the tools that need them. */
function needsOf(made: ImportedToolkit, { credential, credentialFor = [] }: ImportOptions) {
  const given = new Set(credentialFor.map((text) => toCredentialPair(text)[0]));
  const { auth, operations = [], toolkit } = made;
  const missing = credential === undefined ? auth.filter(({ scheme }) => !given.has(scheme)) : [];
  return missing.map((need) => {
    const { scheme, host, setup } = need;
    const tools = operations.filter((one) => one.scheme === scheme).map(({ tool }) => tool);
    const more = tools.length > MAX_NAMED ? ` and ${tools.length - MAX_NAMED} more` : "";
    const users = tools.length === 0 ? "" : `, for ${tools.slice(0, MAX_NAMED).join(", ")}${more}`;
    const line = `${host} needs a secret (${scheme}${users}): ${setup}`;
    return { tools, line, commands: secretCommandsOf(need, toolkit) };
  });
}

async function listOperations(invocation: Invocation, body: object): Promise<void> {
  const client = await invocation.client();
  const found = await client.tools.importOperations(checkedBody(listImportOperationsSchema, body));
  const rows = found.operations.map(({ operation, operationId, tags, security, summary, isDeprecated }) => [
    ...[operation, operationId ?? "-", tags.join(", ") || "-"],
    ...[security.map((schemes) => Object.keys(schemes).join("+") || "none").join(" or ") || "none"],
    `${isDeprecated ? "(deprecated) " : ""}${summary ?? ""}`,
  ]);
  invocation.output.result(found, () => table([["OPERATION", "ID", "TAGS", "SECURITY", "SUMMARY"], ...rows]));
  const skipped = found.skipped.map(({ operation, reason }) => toVisibleLine(`can't be read: ${operation}: ${reason}`));
  if (skipped.length > 0) invocation.output.note(skipped.join("\n"));
}
