import {
  generateSigningSecret,
  type ManifestTool,
  pageSchema,
  type ToolChange,
  type ToolSource,
  toolChangeSchema,
  toolSourceSchema,
} from "@yagate/protocol";
import type { GatewayConfig } from "../../../src/config/gateway-config.ts";
import { expectStatus } from "./agents.ts";
import { type DescribingHandler, startDescribingHandler } from "./describing-handler.ts";
import { startWorld, type World } from "./world.ts";

/** A gateway with the means to make and read tool sources. */
export interface ToolSourceWorld extends World {
  readonly signingSecret: string;
  startHandler(tools: readonly ManifestTool[]): Promise<DescribingHandler>;
  /** Creates a source of a handler, with a name of its own. */
  makeSource(handler: Pick<DescribingHandler, "url">, rest?: object): Promise<ToolSource>;
  readSource(id: string): Promise<ToolSource>;
  /** Syncs a source, which must succeed. */
  sync(id: string): Promise<ToolSource>;
  changes(id: string): Promise<readonly ToolChange[]>;
  /** Accepts the published definitions of these tools; default: all that differ. */
  accept(id: string, names?: readonly string[]): Promise<ToolSource>;
}

export async function startToolSourceWorld(config: Partial<GatewayConfig> = {}): Promise<ToolSourceWorld> {
  const signingSecret = config.signingSecret ?? generateSigningSecret();
  const world = await startWorld({ ...config, signingSecret });
  let count = 0;
  const read = (answer: Parameters<typeof expectStatus>[0], status = 200) =>
    toolSourceSchema.parse(expectStatus(answer, status));

  async function changes(id: string): Promise<readonly ToolChange[]> {
    const answer = await world.call("listToolSourceChanges", { params: { id }, query: { limit: "200" } });
    return pageSchema(toolChangeSchema).parse(expectStatus(answer, 200)).data;
  }

  return {
    ...world,
    signingSecret,
    changes,
    startHandler: (tools) => startDescribingHandler(async () => signingSecret, tools),
    async makeSource({ url }, rest = {}) {
      const body = { name: `source_${++count}`, kind: "handler", url, ...rest };
      return read(await world.call("createToolSource", { body }), 201);
    },
    readSource: async (id) => read(await world.call("getToolSource", { params: { id } })),
    sync: async (id) => read(await world.call("syncToolSource", { params: { id } })),
    async accept(id, names) {
      const found = (await changes(id)).filter(({ name, hash }) => hash !== null && (names?.includes(name) ?? true));
      const tools = found.map(({ name, hash }) => ({ name, hash }));
      return read(await world.call("acceptTools", { params: { id }, body: { tools } }));
    },
  };
}
