import type { GatewayConfig } from "../gateway/src/config/gateway-config.ts";

/** Plans without quotas, so that a benchmark measures the gateway and not the limits of a tenant. */
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
