import { statfs } from "node:fs/promises";
import { YagateError } from "@yagate/protocol";
import { checkMasterKeys } from "@yagate/secrets/canary";
import type { Sealer } from "@yagate/secrets/seal";
import type { WriteHealth } from "@yagate/store/events/store-layers";
import type { Store } from "@yagate/store/port";
import type { CompleteConfig } from "../../config/gateway-config.ts";
import type { Lease } from "../../scheduler/lease.ts";
import { createReadiness, type Readiness, type ReadinessCheck } from "./readiness.ts";

/** Options for {@link createReadinessChecks}. */
export interface ReadinessCheckOptions {
  readonly store: Store;
  readonly writes: Pick<WriteHealth, "assertAccepted">;
  readonly sealer: Sealer;
  readonly lease: Lease;
  /** The data directory; undefined if the store is on another machine. */
  readonly dataDir: string | undefined;
  readonly minFreeDiskBytes: number;
}

/**
 * Creates the readiness checks, by the names that `/readyz` reports. A gateway can take work if all of them succeed.
 */
export function createReadinessChecks(options: ReadinessCheckOptions): Readonly<Record<string, ReadinessCheck>> {
  const { store, writes, sealer, lease, dataDir, minFreeDiskBytes } = options;
  const ofDisk = dataDir === undefined ? {} : { disk: () => assertFreeDisk(dataDir, minFreeDiskBytes) };
  return {
    journal: () => store.ping(),
    writes: async () => writes.assertAccepted(),
    migrations: () => store.assertMigrated(),
    keys: () => checkMasterKeys(store.settings, sealer),
    lease: async () => assertHeld(lease),
    ...ofDisk,
  };
}

/** Creates the readiness of a gateway with this configuration. */
export function createGatewayReadiness({
  config,
  ...parts
}: Omit<ReadinessCheckOptions, "dataDir" | "minFreeDiskBytes"> & { readonly config: CompleteConfig }): Readiness {
  const { minFreeDiskBytes, databaseUrl } = config;
  const dataDir = databaseUrl === undefined ? config.dataDir : undefined;
  const checks = createReadinessChecks({ ...parts, dataDir, minFreeDiskBytes });
  return createReadiness({ checks, monotonicNow: () => performance.now() });
}

function assertHeld(lease: Lease): void {
  try {
    lease.assertHeld(lease.term);
  } catch (cause) {
    throw new YagateError(
      "UNAVAILABLE",
      "the lease expired before it was renewed: other replicas may take over the executions of this replica",
      {
        cause,
      },
    );
  }
}

async function assertFreeDisk(dataDir: string, minFreeDiskBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(dataDir);
  const freeBytes = bavail * bsize;
  if (freeBytes >= minFreeDiskBytes) return;
  throw new YagateError(
    "UNAVAILABLE",
    `expected at least ${minFreeDiskBytes} free bytes on the disk of the data directory, found ${freeBytes}`,
  );
}
