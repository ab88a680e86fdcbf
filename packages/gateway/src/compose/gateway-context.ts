import type { Logger } from "@yagate/lib/logging/logger";
import { defined } from "@yagate/lib/objects/defined";
import { parseModelName } from "@yagate/models/model-name";
import { PROVIDER_NAMES } from "@yagate/models/provider-names";
import type { EpochMs, Store } from "@yagate/store/port";
import { createTelemetry, type Telemetry } from "@yagate/telemetry/gateway-telemetry";
import { createLogger } from "@yagate/telemetry/logger";
import type { CompleteConfig } from "../config/gateway-config.ts";
import { packageVersion } from "../package-version.ts";
import { projectResult } from "../projection/project-result.ts";
import { LEASE_MS } from "../scheduler/lease.ts";

/**
 * Time for which a gateway that shares its database trusts cached keys, secrets and endpoints, in ms. The streams of a
 * deleted key end within twice that time.
 */
export const SHARED_MAX_AGE_MS = 1_000;

/** The parts that all modules of a gateway share. */
export interface GatewayContext {
  readonly config: CompleteConfig;
  readonly logger: Logger;
  readonly telemetry: Telemetry;
  readonly now: () => EpochMs;
  /** Logs a failure of background work. */
  readonly onError: (error: unknown) => void;
}

export function createGatewayContext(config: CompleteConfig): GatewayContext {
  const write = config.development?.onLog;
  const logger = createLogger(config.logLevel, write === undefined ? undefined : { write });
  const { tracerProvider, traceContent: content, providers } = config;
  const telemetry = createTelemetry({
    version: packageVersion(),
    content,
    project: projectResult,
    modelOf: parseModelName,
    providers: ["scripted", ...PROVIDER_NAMES, ...Object.keys(providers)],
    lease: { leaseMs: LEASE_MS, monotonicNow: () => performance.now() },
    now: Date.now,
    onError: (error, executionId) => logger.error({ error, executionId }, "the spans of an execution were lost"),
    ...defined({ tracerProvider }),
  });
  const onError = (error: unknown) => logger.error({ error }, "background work failed");
  return { config, logger, telemetry, now: Date.now, onError };
}

/** Returns the maximum age of cached rows; no maximum if no other process can change the rows. */
export function cacheAge({ isExclusive }: Pick<Store, "isExclusive">): { readonly maxAgeMs?: number } {
  return isExclusive ? {} : { maxAgeMs: SHARED_MAX_AGE_MS };
}
