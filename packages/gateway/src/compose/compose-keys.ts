import { newId } from "@yagate/lib/ids/ids";
import { defined } from "@yagate/lib/objects/defined";
import type { Store } from "@yagate/store/port";
import { type ChangeOrigin, createChangeRecorder, OPERATOR } from "@yagate/store/tables/change-recorder";
import { type ApiKeys, createApiKeys } from "../secrets/api-keys.ts";
import { createCallbackTokens } from "../secrets/callback-tokens.ts";
import { assertMasterKeys, isStoreSealed } from "../secrets/canary.ts";
import { createExecutionTokens, isExecutionToken } from "../secrets/execution-tokens.ts";
import { loadOrCreateKeyFile } from "../secrets/key-file.ts";
import { parseMasterKeys } from "../secrets/keyring.ts";
import { createSealer } from "../secrets/seal.ts";
import { createSigningSecrets } from "../secrets/signing-secrets.ts";
import { createWorkspaces } from "../secrets/workspaces.ts";
import { cacheAge, type GatewayContext } from "./gateway-context.ts";

export type ComposedKeys = Awaited<ReturnType<typeof composeKeys>>;

/**
 * Opens the keyring and everything that it encrypts, signs or verifies, and creates the workspace `default` if it does
 * not exist.
 */
export async function composeKeys(
  { config, now }: GatewayContext,
  store: Pick<Store, "settings" | "signingSecrets" | "workspaces" | "apiKeys" | "isExclusive">,
) {
  const age = cacheAge(store);
  const keyring =
    config.masterKeys === undefined
      ? loadOrCreateKeyFile(config.dataDir, { isSealed: await isStoreSealed(store.settings) })
      : parseMasterKeys(config.masterKeys);
  const sealer = createSealer(keyring);
  await assertMasterKeys(store.settings, sealer);
  const signingSecrets = createSigningSecrets({ store: store.signingSecrets, sealer, now, newId, ...age });
  const workspaces = createWorkspaces({ store: store.workspaces, signingSecrets, now, newId });
  const { signingSecret, apiKey: bootstrapKey } = config;
  const recorderOf = (origin: ChangeOrigin) => createChangeRecorder(origin, { now, newId });
  const { id: defaultWorkspaceId } = await workspaces.ensureDefault(signingSecret, recorderOf(OPERATOR));
  const apiKeys = createApiKeys({
    store: store.apiKeys,
    defaultWorkspaceId,
    now,
    newId,
    ...age,
    ...defined({ bootstrapKey }),
  });
  const tokens = createExecutionTokens({ keyring, principalOf: apiKeys.principalOf, now });
  const callbackTokens = createCallbackTokens({ keyring, now });
  const authenticate: ApiKeys["authenticate"] = (bearer) =>
    (isExecutionToken(bearer) ? tokens : apiKeys).authenticate(bearer);
  return {
    ...{ keyring, sealer, signingSecrets, workspaces, defaultWorkspaceId },
    ...{ apiKeys, tokens, callbackTokens, authenticate, recorderOf },
  };
}
