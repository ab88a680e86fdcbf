import { createEgressGuard } from "@yagate/egress";
import { newId } from "@yagate/lib/ids/ids";
import type { Store } from "@yagate/store/port";
import { createCallbackTickets } from "@yagate/webhooks/callbacks/callback-tickets";
import { createDispatcher } from "@yagate/webhooks/dispatcher";
import { createEndpointRegistry } from "@yagate/webhooks/endpoints/endpoint-registry";
import { createCallbackAddress } from "../http/callback-address.ts";
import type { EgressPolicies } from "./compose-egress.ts";
import type { ComposedKeys } from "./compose-keys.ts";
import type { GatewayContext } from "./gateway-context.ts";

export type ComposedWebhooks = Awaited<ReturnType<typeof composeWebhooks>>;

/** Creates the parts for signed calls to handlers: the endpoints, the dispatcher, and the address for callbacks. */
export async function composeWebhooks(
  { config, telemetry, logger, now, onError }: GatewayContext,
  parts: {
    readonly store: Pick<Store, "endpoints">;
    readonly keys: Pick<ComposedKeys, "signingSecrets" | "callbackTokens">;
    readonly egress: Pick<EgressPolicies, "perNetworks">;
  },
) {
  const { store, keys, egress } = parts;
  const callbackAddress = createCallbackAddress({ host: config.host, publicUrl: config.publicUrl, now });
  const limits = { concurrency: config.endpointConcurrency, queue: config.endpointQueue };
  const endpoints = createEndpointRegistry({ store: store.endpoints, now, newId, limits, onError });
  await endpoints.load();
  // A person configured the host of a handler, so the networks that are allowlisted for the workspace apply to it.
  const guards = egress.perNetworks(createEgressGuard);
  const dispatcher = createDispatcher({
    egressOf: guards.of,
    signingSecrets: keys.signingSecrets,
    callbacks: createCallbackTickets({ tokens: keys.callbackTokens, baseUrl: callbackAddress.base }),
    endpoints,
    now,
    isTraceRecorded: telemetry.isTracing,
    onError: (error, { executionId, toolCallId }) =>
      logger.error({ error, executionId, toolCallId }, "a call had an unexpected error"),
  });
  return {
    endpoints,
    dispatcher,
    callbackAddress,
    egressOf: guards.of,
    close: () => Promise.all(guards.made().map((guard) => guard.close())),
  };
}
