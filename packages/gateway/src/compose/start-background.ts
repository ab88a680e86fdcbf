import { createFollower } from "@yagate/read-models/follower";
import { createResealLog } from "@yagate/secrets/reseal-log";
import { createResealing } from "@yagate/secrets/resealing";
import type { Store } from "@yagate/store/port";
import { createRetention } from "@yagate/store/retention/retention-pass";
import type { Lease } from "../scheduler/lease.ts";
import type { ComposedKeys } from "./compose-keys.ts";
import type { ComposedStore } from "./compose-store.ts";
import type { ComposedToolSources } from "./compose-tool-sources.ts";
import type { ComposedWebhooks } from "./compose-webhooks.ts";
import { cacheAge, type GatewayContext } from "./gateway-context.ts";

/** Starts the gateway's background work. */
export function startBackground(
  { config, logger, now, onError }: GatewayContext,
  parts: {
    readonly store: Store;
    readonly storedBytes: ComposedStore["storedBytes"];
    readonly keys: Pick<ComposedKeys, "keyring" | "sealer">;
    readonly webhooks: Pick<ComposedWebhooks, "endpoints">;
    readonly sources: Pick<ComposedToolSources, "syncSchedule" | "sourceWatch">;
    readonly lease: Pick<Lease, "owner">;
  },
): { stop(): Promise<void> } {
  const { store, storedBytes, keys, webhooks, lease } = parts;
  const { maxAgeMs } = cacheAge(store);
  const refresh =
    maxAgeMs === undefined ? undefined : setInterval(() => webhooks.endpoints.load().catch(onError), maxAgeMs);
  refresh?.unref();
  const { executionRetentionDays, auditRetentionDays } = config;
  const retention = createRetention({
    ...{ eventStore: store.eventStore, store: store.retention, audit: store.audit },
    toolSources: store.toolSources,
    ...{ executionRetentionDays, auditRetentionDays, owner: lease.owner, now, onError },
  });
  retention.start();
  storedBytes.start();
  const follower = createFollower({
    ...{ store: store.readModels, owner: lease.owner, executionRetentionDays, now, onError },
  });
  follower.start();
  const resealing = createResealing({
    ...{ store: store.sealedTexts, settings: store.settings, keyring: keys.keyring, sealer: keys.sealer },
    ...{ onReport: createResealLog(logger), onError },
  });
  resealing.start();
  const { syncSchedule, sourceWatch } = parts.sources;
  syncSchedule.start();
  sourceWatch?.start();
  return {
    async stop() {
      clearInterval(refresh);
      await Promise.all([
        retention.stop(),
        resealing.stop(),
        storedBytes.stop(),
        follower.stop(),
        syncSchedule.stop(),
        sourceWatch?.stop(),
      ]);
    },
  };
}
