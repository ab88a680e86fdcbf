import type { Logger } from "@yagate/lib/logging/logger";
import { defined } from "@yagate/lib/objects/defined";
import { parseModelName } from "@yagate/models/model-name";
import { PROVIDER_NAMES } from "@yagate/models/provider-names";
import type { CompleteConfig } from "../config/gateway-config.ts";
import { packageVersion } from "../package-version.ts";
import { projectResult } from "../projection/project-result.ts";
import { LEASE_MS } from "../scheduler/lease.ts";
import { createTelemetry, type Telemetry } from "../telemetry/gateway-telemetry.ts";

/** Makes what spans, metrics and the log are written by. */
export function openTelemetry(config: CompleteConfig, logger: Logger): Telemetry {
  const { tracerProvider, traceContent: content, providers } = config;
  return createTelemetry({
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
}
