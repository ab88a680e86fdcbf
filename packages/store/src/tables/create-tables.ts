import type { StoredCapability, StoredIntent } from "@yagate/protocol";
import { createRecordStore } from "../events/records.ts";
import type { UnitRunner } from "../unit-of-work.ts";
import { createAgentStore } from "./agents.ts";
import { createApiKeyStore } from "./api-keys.ts";
import { createApprovalStore } from "./approvals.ts";
import { createAuditStore } from "./audit.ts";
import { createConsoleSessionStore } from "./console-sessions.ts";
import { createEndpointStore } from "./endpoints.ts";
import { createExposedAgentStore } from "./exposed-agents.ts";
import { createInputRequestStore } from "./input-requests.ts";
import { createIntegrationStore } from "./integrations.ts";
import { createOAuthGrantStore } from "./oauth-grants.ts";
import { createOAuthSignInStore } from "./oauth-sign-ins.ts";
import { createRedeliveryStore } from "./redeliveries.ts";
import { createRoutingEntryStore } from "./routing-entries.ts";
import { createSealedTextStore } from "./sealed-texts.ts";
import { createSettingStore } from "./settings.ts";
import { createSigningSecretStore } from "./signing-secrets.ts";
import { createToolSourceStore } from "./tool-sources.ts";
import { createToolkitStore } from "./toolkits.ts";
import { createToolStore } from "./tools.ts";
import { createWorkspaceProviderStore } from "./workspace-providers.ts";
import { createWorkspaceSecretStore } from "./workspace-secrets.ts";
import { createWorkspaceStore } from "./workspaces.ts";

/** Creates the parts of a store whose queries are the same on every database. */
export function createTables(units: UnitRunner) {
  return {
    agents: createAgentStore(units),
    exposedAgents: createExposedAgentStore(units),
    workspaces: createWorkspaceStore(units),
    apiKeys: createApiKeyStore(units),
    signingSecrets: createSigningSecretStore(units),
    endpoints: createEndpointStore(units),
    approvals: createApprovalStore(units),
    inputRequests: createInputRequestStore(units),
    audit: createAuditStore(units),
    workspaceSecrets: createWorkspaceSecretStore(units),
    workspaceProviders: createWorkspaceProviderStore(units),
    tools: createToolStore(units),
    toolkits: createToolkitStore(units),
    toolSources: createToolSourceStore(units),
    oauthGrants: createOAuthGrantStore(units),
    oauthSignIns: createOAuthSignInStore(units),
    consoleSessions: createConsoleSessionStore(units),
    integrations: createIntegrationStore(units),
    intents: createRoutingEntryStore<StoredIntent>(units, "intent"),
    capabilities: createRoutingEntryStore<StoredCapability>(units, "capability"),
    settings: createSettingStore(units),
    sealedTexts: createSealedTextStore(units),
    records: createRecordStore(units),
    redeliveries: createRedeliveryStore(units),
  };
}
