import { fileURLToPath } from "node:url";
import { openDesk } from "@yagate/example-stage/open-desk";
import { startService } from "@yagate/example-stage/start-service";
import { describeSource, LOCAL_PRIORITY, mcpSearch, searchDesk } from "./agent.ts";
import { startModelServer } from "./model-server.ts";

const MODEL = "anthropic/claude-sonnet-4-20250514";

/** What has an outage. */
export interface Outages {
  /** The search of the model's provider. */
  readonly provider: boolean;
  /** The MCP server. */
  readonly mcp: boolean;
}

/** Starts a gateway with three searches for one intent, of which some may have an outage. */
export async function setUp({ provider, mcp }: Outages) {
  const model = await startModelServer();
  model.isSearchDown = provider;
  const folder = fileURLToPath(new URL("../research-agent/corpus", import.meta.url));
  const config = {
    search: { local: { folder } },
    providers: { anthropic: { apiKey: "sk-ant-of-the-example", baseUrl: model.url } },
    // The stand-ins listen on this machine. Real services use https and do not need this setting.
    allowCidrs: ["127.0.0.0/8"],
  };
  return openDesk("search", config, async ({ yagate, onStop }) => {
    onStop(() => model.stop());
    const server = await startService(new URL("search-server.ts", import.meta.url), {}, () => {});
    onStop(() => server.stop());
    const source = await yagate.sources.create(describeSource(`${server.url}/mcp`));
    const changes = await yagate.sources.changes(source.id).toArray();
    const tools = changes.flatMap(({ name, hash }) =>
      hash === null ? [] : [{ name, hash, sideEffect: "read_only" as const }],
    );
    await yagate.sources.accept(source.id, { tools });
    await yagate.capabilities.create(mcpSearch);
    await yagate.capabilities.update("runtime.web_search", { priority: LOCAL_PRIORITY });
    const agent = await yagate.agents.create({ ...searchDesk, model: MODEL });
    if (mcp) await server.stop();
    return { agentId: agent.id };
  });
}
