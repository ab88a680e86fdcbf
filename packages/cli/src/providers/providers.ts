import { defined } from "@yagate/lib/objects/defined";
import { putProviderSchema, secretNameOf, toVisibleLine, toWorkspaceSecretReference } from "@yagate/protocol";
import { checkedBody } from "../frame/checked-body.ts";
import type { Invocation } from "../frame/invocation.ts";
import { table } from "../text/table.ts";

/** Prints the providers of the workspace. */
export async function listProviders(invocation: Invocation): Promise<void> {
  const providers = await (await invocation.client()).providers.list({ limit: 200 }).toArray();
  const rows = providers.map(({ name, apiKey, baseUrl, updatedAt }) => [
    ...[name, secretNameOf(apiKey), updatedAt, baseUrl ?? "-"],
  ]);
  invocation.output.result(providers, () =>
    rows.length === 0
      ? "This workspace has no providers of its own."
      : table([["NAME", "SECRET", "UPDATED", "BASE URL"], ...rows]),
  );
}

/**
 * Sets a provider of the workspace.
 *
 * @throws WrongFieldsError `INVALID_REQUEST` if the name of the secret or the URL is invalid.
 */
export async function setProvider(
  invocation: Invocation,
  name: string,
  { key = "", baseUrl }: { readonly key?: string; readonly baseUrl?: string },
): Promise<void> {
  const apiKey = toWorkspaceSecretReference(key);
  const body = checkedBody(putProviderSchema, { apiKey, ...defined({ baseUrl }) });
  const saved = await (await invocation.client()).providers.set(name, body);
  invocation.output.done(saved, `${name} was set at ${saved.updatedAt}; its key is the secret ${key}.`);
  invocation.output.warnings(saved.warnings);
}

/** Deletes a provider of the workspace. */
export async function deleteProvider(invocation: Invocation, name: string): Promise<void> {
  const client = await invocation.client();
  await invocation.confirm(toVisibleLine(`Delete the provider ${name} of this workspace?`));
  await client.providers.delete(name);
  invocation.output.done({ type: "provider", name, deleted: true }, `${name} was deleted.`);
}
