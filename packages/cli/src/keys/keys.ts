import type { CreatedApiKey } from "@yagate/client";
import {
  type ApiKey,
  createApiKeySchema,
  MAX_SECRET_OVERLAP_SECONDS,
  toFieldErrors,
  toVisibleText,
  YagateError,
} from "@yagate/protocol";
import { gatewayClient } from "../gateway-client.ts";
import { momentOf } from "../moment.ts";
import { table } from "../table.ts";

interface Printing {
  readonly workspace?: string;
  readonly json?: boolean;
}

/** Prints the keys of a workspace. */
export async function listKeys({ workspace: workspaceId, json = false }: Printing): Promise<void> {
  const keys = await gatewayClient().apiKeys.list({ limit: 200, workspaceId }).toArray();
  console.log(json ? toVisibleText(JSON.stringify(keys, null, 2)) : describe(keys));
}

/** Makes a key. @throws YagateError `INVALID_REQUEST` for scopes and times that there are not. */
export async function createKey(
  name: string,
  { scopes, expires, workspace, json = false }: Printing & { readonly scopes: string; readonly expires?: string },
): Promise<void> {
  const definition = parse(createApiKeySchema, {
    name,
    scopes: scopes.split(",").map((scope) => scope.trim()),
    ...(expires === undefined ? {} : { expiresAt: momentOf(expires, "--expires", "from now") }),
    ...(workspace === undefined ? {} : { workspaceId: workspace }),
  });
  print(await gatewayClient().apiKeys.create(definition), json);
}

/** Gives a key another text. @throws YagateError `INVALID_REQUEST` for an overlap that there is not. */
export async function rotateKey(
  id: string,
  { overlap, json = false }: Printing & { readonly overlap?: string },
): Promise<void> {
  const rotation = overlap === undefined ? {} : { overlapSeconds: overlapOf(overlap) };
  print(await gatewayClient().apiKeys.rotate(id, rotation), json);
}

/** Deletes a key. */
export async function deleteKey(id: string): Promise<void> {
  await gatewayClient().apiKeys.delete(id);
  console.log(`${id} was deleted.`);
}

/** The text alone on standard output, so that it can go to a file and nowhere else. */
function print(created: CreatedApiKey, json: boolean): void {
  console.log(json ? toVisibleText(JSON.stringify(created, null, 2)) : created.key);
  const { id, expiresAt, previousExpiresAt } = created;
  console.error(`${id}: keep this text, it is not shown again.`);
  if (expiresAt !== null) console.error(`It expires at ${expiresAt}.`);
  if (previousExpiresAt !== null) console.error(`The previous text works until ${previousExpiresAt}.`);
}

function describe(keys: readonly ApiKey[]): string {
  if (keys.length === 0) return "There are no API keys in this workspace.";
  const rows = keys.map(({ id, name, scopes, expiresAt, lastUsedAt }) => [
    ...[id, name, scopes.join(","), expiresAt ?? "-", lastUsedAt ?? "-"],
  ]);
  return table([["ID", "NAME", "SCOPES", "EXPIRES", "LAST USED"], ...rows]);
}

function overlapOf(text: string): number {
  const seconds = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (seconds <= MAX_SECRET_OVERLAP_SECONDS) return seconds;
  const message = `expected --overlap to be whole seconds from 0 to ${MAX_SECRET_OVERLAP_SECONDS}`;
  throw new YagateError("INVALID_REQUEST", message, { hint: "Nothing was sent." });
}

function parse<Output>(
  schema: { safeParse(value: unknown): { success: true; data: Output } | { success: false; error: FieldIssues } },
  value: unknown,
): Output {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = toFieldErrors(parsed.error).map(({ path, message }) => `${path}: ${message}`);
  throw new YagateError("INVALID_REQUEST", problems.join("; "), { hint: "Nothing was sent." });
}

type FieldIssues = Parameters<typeof toFieldErrors>[0];
