import { expect } from "vitest";
import type { Store } from "../../src/port.ts";
import { NOW } from "./fixtures.ts";

/** Rows as the release before keys of providers were bound to hosts writes them. */
export const UNBOUND_ROWS: readonly string[] = [
  `INSERT INTO workspace_secrets (workspace_id, name, sealed, auth, hosts, created_at, updated_at)
   VALUES ('ws_a', 'KEY', 'sealed', 'null', '[]', ${NOW}, ${NOW}), ('ws_a', 'HELD', 'sealed', 'null', '["a.example"]', ${NOW}, ${NOW})`,
  `INSERT INTO workspace_providers (workspace_id, name, secret_name, base_url, created_at, updated_at)
   VALUES ('ws_a', 'mine', 'KEY', 'https://a.example', ${NOW}, ${NOW}), ('ws_a', 'held', 'HELD', 'https://a.example', ${NOW}, ${NOW}),
     ('ws_a', 'openai', 'KEY', NULL, ${NOW}, ${NOW}), ('ws_b', 'mine', 'KEY', 'https://a.example', ${NOW}, ${NOW})`,
];

/** They are marked, and a write takes the mark off. */
export async function expectUnbound({ workspaceProviders, workspaceSecrets }: Store): Promise<void> {
  const mine = { workspaceId: "ws_a", provider: "mine", secretName: "KEY", baseUrl: "https://a.example" };
  expect(await workspaceProviders.listUnbound()).toEqual([mine]);
  expect(await workspaceSecrets.find("ws_a", "KEY")).toMatchObject({ isUnbound: true });
  const provider = await workspaceProviders.find("ws_a", "mine");
  if (provider === undefined) throw new Error("expected the provider to be there");
  expect(provider).toMatchObject({ isUnbound: true });
  const { isUnbound: _isUnbound, ...change } = provider;
  const options = { mayChangeUrl: false, maxProviders: 9 };
  expect(await workspaceProviders.put(change, options)).toMatchObject({ isUnbound: false });
  expect(await workspaceProviders.listUnbound()).toEqual([]);
  // Within the same millisecond too.
  await workspaceSecrets.put({ workspaceId: "ws_a", name: "KEY", sealed: "sealed", at: NOW }, 9);
  expect(await workspaceSecrets.find("ws_a", "KEY")).toMatchObject({ isUnbound: false });
}
