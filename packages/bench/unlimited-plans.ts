import type { GatewayConfig } from "../gateway/src/config/gateway-config.ts";

/** Plans without quotas: a measurement is of the gateway, not of what a tenant may have. */
export const UNLIMITED_PLANS: NonNullable<GatewayConfig["plans"]> = {
  standard: {
    agents: null,
    tools: null,
    secrets: null,
    pendingExecutions: null,
    storedBytes: null,
    eventStreams: null,
    eventStreamsPerExecution: null,
    requestsPerSecond: null,
    requestBytesInFlight: null,
  },
};
