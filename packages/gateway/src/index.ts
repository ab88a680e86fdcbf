export { providersFromEnvironment } from "@yagate/models/provider-settings";
export { toBaseUrl as providerBaseUrl } from "@yagate/models/provider-urls";
export { spanIdGenerator } from "@yagate/telemetry/span-ids";
export { type BackupReport, backupDataDirectory } from "./backup.ts";
export type { FailedRequest, ToolSourceReport } from "./config/development-config.ts";
export {
  configFromEnvironment,
  type Environment,
  type EnvironmentOptions,
  VARIABLE_NAMES,
} from "./config/environment.ts";
export { type CompleteConfig, completeConfig, DEFAULT_PORT, type GatewayConfig } from "./config/gateway-config.ts";
export { createWorkspaceNetworks } from "./config/workspace-networks.ts";
export { checkDatabase, checkStoredKeys, createGateway, type Gateway, migrateDatabase } from "./gateway.ts";
export { type MigrateStoreOptions, migrateStore, type StoreDifference, type StoreMigration } from "./migrate-store.ts";
