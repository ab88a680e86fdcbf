import { Transport } from "./http/transport.ts";
import { resolveOptions, type YagateOptions } from "./options.ts";
import { Agents } from "./resources/agents.ts";
import { ApiKeys } from "./resources/api-keys.ts";
import { Approvals } from "./resources/approvals.ts";
import { Artifacts } from "./resources/artifacts.ts";
import { Attempts } from "./resources/attempts.ts";
import { Audit } from "./resources/audit.ts";
import { Capabilities } from "./resources/capabilities.ts";
import { Changes } from "./resources/changes.ts";
import { Endpoints } from "./resources/endpoints.ts";
import { Executions } from "./resources/executions.ts";
import { InputRequests } from "./resources/input-requests.ts";
import { Integrations } from "./resources/integrations.ts";
import { Intents } from "./resources/intents.ts";
import { Metrics } from "./resources/metrics.ts";
import { Providers } from "./resources/providers.ts";
import { Secrets } from "./resources/secrets.ts";
import { SigningSecrets } from "./resources/signing-secrets.ts";
import { ToolCalls } from "./resources/tool-calls.ts";
import { ToolSources } from "./resources/tool-sources.ts";
import { ToolTemplates } from "./resources/tool-templates.ts";
import { Toolkits } from "./resources/toolkits.ts";
import { Tools } from "./resources/tools.ts";
import { WorkspaceUsages } from "./resources/usage.ts";
import { Workspaces } from "./resources/workspaces.ts";
import { type Runtime, systemRuntime } from "./runtime.ts";

/**
 * A client for one gateway with one API key.
 *
 * Error responses are {@link ApiError}s; all other failures are {@link YagateError}s. No message contains the key.
 */
export class Yagate {
  readonly agents: Agents;
  readonly apiKeys: ApiKeys;
  readonly audit: Audit;
  readonly approvals: Approvals;
  readonly artifacts: Artifacts;
  readonly attempts: Attempts;
  readonly changes: Changes;
  readonly endpoints: Endpoints;
  readonly executions: Executions;
  readonly inputRequests: InputRequests;
  readonly integrations: Integrations;
  /** What agents need, without naming the tools that provide it. */
  readonly intents: Intents;
  /** What can serve intents. */
  readonly capabilities: Capabilities;
  readonly metrics: Metrics;
  readonly providers: Providers;
  readonly secrets: Secrets;
  readonly signingSecrets: SigningSecrets;
  readonly sources: ToolSources;
  readonly toolCalls: ToolCalls;
  readonly toolkits: Toolkits;
  readonly tools: Tools;
  readonly toolTemplates: ToolTemplates;
  readonly usage: WorkspaceUsages;
  readonly workspaces: Workspaces;

  /**
   * @param runtime - clock, timers and randomness, for tests.
   * @throws YagateError `NOT_CONFIGURED` if `baseUrl` or `apiKey` is neither passed nor set in the environment;
   *   `INVALID_REQUEST` if an option is invalid.
   */
  constructor(options: YagateOptions = {}, runtime: Runtime = systemRuntime) {
    const transport = new Transport(resolveOptions(options), runtime);
    this.agents = new Agents(transport);
    this.apiKeys = new ApiKeys(transport);
    this.audit = new Audit(transport);
    this.approvals = new Approvals(transport);
    this.artifacts = new Artifacts(transport);
    this.attempts = new Attempts(transport);
    this.changes = new Changes(transport);
    this.endpoints = new Endpoints(transport);
    this.executions = new Executions(transport);
    this.inputRequests = new InputRequests(transport);
    this.integrations = new Integrations(transport);
    this.intents = new Intents(transport);
    this.capabilities = new Capabilities(transport);
    this.metrics = new Metrics(transport);
    this.providers = new Providers(transport);
    this.secrets = new Secrets(transport);
    this.signingSecrets = new SigningSecrets(transport);
    this.sources = new ToolSources(transport);
    this.toolCalls = new ToolCalls(transport);
    this.toolkits = new Toolkits(transport);
    this.tools = new Tools(transport);
    this.toolTemplates = new ToolTemplates(transport);
    this.usage = new WorkspaceUsages(transport);
    this.workspaces = new Workspaces(transport);
  }
}
