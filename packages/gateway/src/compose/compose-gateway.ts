import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Store } from "@yagate/store/port";
import type { CompleteConfig } from "../config/gateway-config.ts";
import { isSessionCredential } from "../console/console-access.ts";
import { composeModules } from "./compose-modules.ts";
import { openConfiguredStore } from "./compose-store.ts";
import { createGatewayContext, type GatewayContext, SHARED_MAX_AGE_MS } from "./gateway-context.ts";
import { startBackground } from "./start-background.ts";

/**
 * Maximum time in ms that a shutdown waits for background work, such as deleting a batch of old rows or recording the
 * spans of an execution.
 */
const BACKGROUND_END_MS = 1_000;

/** A running gateway without its HTTP server. */
export type ComposedGateway = Awaited<ReturnType<typeof composeGateway>>;

/**
 * Opens the store, composes the modules and starts them. The API can then be called in this process.
 *
 * @param open - opens a store; default: the store in the configuration.
 */
export async function composeGateway(
  config: CompleteConfig,
  open: (context: GatewayContext) => Promise<Store> = openConfiguredStore,
) {
  const context = createGatewayContext(config);
  const opened = await open(context);
  try {
    return await start(context, opened);
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function start(context: GatewayContext, opened: Store) {
  const { config, logger, telemetry } = context;
  const modules = await composeModules(context, opened);
  const { store, keys, egress, webhooks, executions, agents, quotas, api, console } = modules;
  const { scheduler, lease } = executions;
  const { authenticate, recorderOf, apiKeys, defaultWorkspaceId, signingSecrets } = keys;
  await modules.sharedNetworks.atStart();
  telemetry.watch({ executions: scheduler.counts, endpoints: webhooks.endpoints.totals, ping: store.ping });
  telemetry.toolSources.watch(store.toolSources.totals);
  await scheduler.start();
  const background = startBackground(context, { ...modules, lease });
  return {
    ...{ store, routes: api.routes, logger, telemetry, authenticate, recorderOf, defaultWorkspaceId },
    ...{ executions: executions.executions, approvals: executions.approvals, agentWriter: agents.agentWriter },
    admitRequest: quotas.admitRequest,
    onKeyDeleted: apiKeys.onDeleted,
    console,
    keyRecheck: {
      everyMs: SHARED_MAX_AGE_MS,
      authenticate: async (credential: string) =>
        console !== undefined && isSessionCredential(credential)
          ? console.access.recheck(credential)
          : authenticate(credential),
    },
    /**
     * Returns the number of executions that this process has in memory: those that are running, and those that are
     * waiting for a short time.
     */
    activeCount: () => scheduler.activeCount,
    revealSigningSecret: () => signingSecrets.reveal(defaultWorkspaceId),
    /** Makes `/readyz` report that the gateway is not ready. The gateway still accepts work until it is closed. */
    drain: () => api.readiness.drain(),
    /**
     * Sets the callback address, unless the operator configured one, blocks requests to the gateway's own address from
     * workspaces and models, and loads the packages of the configured providers in the background.
     */
    onListening(url: string, address: AddressInfo) {
      egress.onListening(address);
      webhooks.callbackAddress.listening(url);
      setImmediate(() => modules.models.models.loadProviders().catch(context.onError));
    },
    async close() {
      const stopped = background.stop();
      await scheduler.stop(config.drainMs);
      // A database that does not respond must not delay the shutdown.
      await Promise.race([
        Promise.all([stopped, modules.tracesWritten()]),
        sleep(BACKGROUND_END_MS, undefined, { ref: false }),
      ]);
      const { oauth, tools, models, builtins } = modules;
      await Promise.all([webhooks, oauth, tools, models, builtins].map((one) => one.close()));
      await store.close();
    },
  };
}
