import { newId } from "@yagate/lib/ids/ids";
import { defined } from "@yagate/lib/objects/defined";
import { type ApiKeys, createApiKeys } from "@yagate/secrets/api-keys";
import { createCallbackTokens } from "@yagate/secrets/callback-tokens";
import { assertMasterKeys, isStoreSealed } from "@yagate/secrets/canary";
import { createExecutionTokens, isExecutionToken } from "@yagate/secrets/execution-tokens";
import { loadOrCreateKeyFile } from "@yagate/secrets/key-file";
import { parseMasterKeys } from "@yagate/secrets/keyring";
import { createSealer } from "@yagate/secrets/seal";
import { createSigningSecrets } from "@yagate/secrets/signing-secrets";
import { createWorkspaces } from "@yagate/secrets/workspaces";
import type { Store } from "@yagate/store/port";
import { type ChangeOrigin, createChangeRecorder, OPERATOR } from "@yagate/store/tables/change-recorder";
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
