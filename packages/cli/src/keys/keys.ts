import type { CreatedApiKey } from "@yagate/client";
import { defined } from "@yagate/lib/objects/defined";
import {
  type ApiKey,
  createApiKeySchema,
  MAX_SECRET_OVERLAP_SECONDS,
  toFieldErrors,
  toVisibleLine,
  updateApiKeySchema,
  YagateError,
} from "@yagate/protocol";
import type { Invocation } from "../frame/invocation.ts";
import { momentOf } from "../moment.ts";
import { readJsonArgument } from "../read-text.ts";
import { table } from "../text/table.ts";

interface Printing {
  readonly workspace?: string;
}

/** The options of a new key. */
interface KeyOptions {
  readonly scopes?: string;
  readonly expires?: string;
  /** JSON, or `-` for standard input. */
  readonly routing?: string;
}

const ROUTING_EXAMPLE = '{"scopes":["orders"],"dataClass":"internal"}';

/** Prints the keys of a workspace. */
export async function listKeys(invocation: Invocation, { workspace: workspaceId }: Printing): Promise<void> {
  const keys = await (await invocation.client()).apiKeys.list({ limit: 200, workspaceId }).toArray();
  invocation.output.result(keys, () => describe(keys));
}

/**
 * Creates a key.
 *
 * @throws YagateError `INVALID_REQUEST` for unknown scopes, invalid times and invalid bounds.
 */
export async function createKey(
  invocation: Invocation,
  name: string,
  { scopes = "", expires, routing, workspace }: Printing & KeyOptions,
): Promise<void> {
  const definition = parse(createApiKeySchema, {
    name,
    scopes: scopes.split(",").map((scope) => scope.trim()),
    ...(expires === undefined ? {} : { expiresAt: momentOf(expires, "--expires", "from now") }),
    ...(routing === undefined ? {} : { routing: await readJsonArgument(routing, "--routing", ROUTING_EXAMPLE) }),
    ...defined({ workspaceId: workspace }),
  });
  print(invocation, await (await invocation.client()).apiKeys.create(definition));
}

/**
 * Changes the given fields of a key.
 *
 * @throws YagateError `INVALID_REQUEST` for invalid times and bounds, and if no field is given.
 */
export async function updateKey(
  invocation: Invocation,
  id: string,
  { name, expires, routing }: Omit<KeyOptions, "scopes"> & { readonly name?: string },
): Promise<void> {
  if (name === undefined && expires === undefined && routing === undefined) {
    throw new YagateError("INVALID_REQUEST", "expected at least one change: --name, --expires, --routing");
  }
  const change = parse(updateApiKeySchema, {
    ...defined({ name }),
    ...(expires === undefined
      ? {}
      : { expiresAt: expires === "never" ? null : momentOf(expires, "--expires", "from now") }),
    ...(routing === undefined ? {} : { routing: await boundsOf(routing) }),
  });
  const updated = await (await invocation.client()).apiKeys.update(id, change);
  invocation.output.done(updated, `${id} was updated.`);
}

async function boundsOf(routing: string) {
  return routing === "null" ? null : readJsonArgument(routing, "--routing", ROUTING_EXAMPLE);
}

/**
 * Replaces the value of a key.
 *
 * @throws YagateError `INVALID_REQUEST` if the overlap is out of range.
 */
export async function rotateKey(
  invocation: Invocation,
  id: string,
  { overlap }: { readonly overlap?: string },
): Promise<void> {
  const rotation = overlap === undefined ? {} : { overlapSeconds: overlapOf(overlap) };
  print(invocation, await (await invocation.client()).apiKeys.rotate(id, rotation));
}

/** Deletes a key. */
export async function deleteKey(invocation: Invocation, id: string): Promise<void> {
  const client = await invocation.client();
  await invocation.confirm(toVisibleLine(`Delete the API key ${id}?`));
  await client.apiKeys.delete(id);
  invocation.output.done({ type: "api_key", id, deleted: true }, `${id} was deleted.`);
}

/** Prints a key. Only its value goes to standard output, so that it can be redirected to a file. */
function print({ output }: Invocation, created: CreatedApiKey): void {
  output.result(created, () => created.key);
  const { id, expiresAt, previousExpiresAt } = created;
  output.note(`${id}: save this key now; it will not be shown again.`);
  if (expiresAt !== null) output.note(`It expires at ${expiresAt}.`);
  if (previousExpiresAt !== null) output.note(`The previous value works until ${previousExpiresAt}.`);
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
  const message = `expected --overlap to be a whole number of seconds from 0 to ${MAX_SECRET_OVERLAP_SECONDS}`;
  throw new YagateError("INVALID_REQUEST", message);
}

function parse<Output>(
  schema: { safeParse(value: unknown): { success: true; data: Output } | { success: false; error: FieldIssues } },
  value: unknown,
): Output {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = toFieldErrors(parsed.error).map(({ path, message }) => `${path}: ${message}`);
  throw new YagateError("INVALID_REQUEST", problems.join("; "));
}

type FieldIssues = Parameters<typeof toFieldErrors>[0];
