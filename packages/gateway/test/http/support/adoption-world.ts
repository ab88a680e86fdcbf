import {
  importedToolkitSchema,
  restToolSchema,
  type ToolSource,
  toolSourceSchema,
  type WorkspaceTool,
  workspaceToolSchema,
} from "@yagate/protocol";
import type { GatewayConfig } from "../../../src/config/gateway-config.ts";
import { expectStatus } from "./agents.ts";
import { type DocumentServer, documentOf, SHOP, startDocumentServer } from "./document-server.ts";
import { startToolSourceWorld, type ToolSourceWorld } from "./tool-source-world.ts";

type Answer = Awaited<ReturnType<ToolSourceWorld["call"]>>;

/** Tools that were imported from a document; their names begin with a prefix of their own. */
interface ImportedTools {
  readonly namePrefix: string;
  /** The ids of the tools, by the names of their operations. */
  readonly ids: Readonly<Record<string, string>>;
  idOf(name: string): string;
}

/** A gateway with the means to import tools from a document, and to make them follow a source. */
export interface AdoptionWorld extends ToolSourceWorld {
  toolOf(id: string): Promise<WorkspaceTool>;
  restOf(id: string): Promise<ReturnType<typeof restToolSchema.parse>["rest"]>;
  /** Tests, validates and finalizes a tool. */
  advance(id: string): Promise<void>;
  importTools(server: DocumentServer, paths?: object, isFinal?: boolean): Promise<ImportedTools>;
  /** Imports a document and creates a source of it. */
  startImported(paths?: object): Promise<ImportedTools & { server: DocumentServer; source: ToolSource }>;
  adopt(source: ToolSource, tools: readonly object[]): Promise<Answer>;
  /** Adopts tools, which must succeed. */
  adopted(source: ToolSource, ids: readonly string[]): Promise<ToolSource>;
}

export async function startAdoptionWorld(config: Partial<GatewayConfig> = {}): Promise<AdoptionWorld> {
  const world = await startToolSourceWorld(config);
  let count = 0;

  async function toolOf(id: string): Promise<WorkspaceTool> {
    return workspaceToolSchema.parse(expectStatus(await world.call("getTool", { params: { id } }), 200));
  }

  const restOf = async (id: string) => restToolSchema.parse((await toolOf(id)).definition).rest;

  async function advance(id: string): Promise<void> {
    const params = { id };
    const names = new Set((await restOf(id)).parameters.map(({ name }) => name));
    const parameters = Object.fromEntries(Object.entries({ id: "7", sku: "a" }).filter(([name]) => names.has(name)));
    expectStatus(await world.call("testTool", { params, body: { parameters, confirm: true } }), 200);
    expectStatus(await world.call("validateTool", { params }), 200);
    expectStatus(await world.call("finalizeTool", { params }), 200);
  }

  async function importTools(server: DocumentServer, paths: object = SHOP, isFinal = true): Promise<ImportedTools> {
    const namePrefix = `own${++count}_`;
    const body = { openapi: documentOf(paths), server: server.origin, namePrefix };
    const made = importedToolkitSchema.parse(expectStatus(await world.call("importTools", { body }), 201));
    if (isFinal) for (const { id } of made.tools) await advance(id);
    const ids = Object.fromEntries(made.tools.map(({ name, id }) => [name.replace(namePrefix, ""), id]));
    return { ids, idOf: (name) => ids[name] ?? "", namePrefix };
  }

  const adopt = (source: ToolSource, tools: readonly object[]) =>
    world.call("adoptTools", { params: { id: source.id }, body: { tools } });

  return {
    ...{ ...world, toolOf, restOf, advance, importTools, adopt },
    async startImported(paths = SHOP) {
      const server = await startDocumentServer(documentOf(paths));
      const imported = await importTools(server, paths);
      const source = await world.makeSource(server, { kind: "openapi" });
      return { server, source, ...imported };
    },
    async adopted(source, ids) {
      const answer = await adopt(
        source,
        ids.map((toolId) => ({ toolId })),
      );
      return toolSourceSchema.parse(expectStatus(answer, 200));
    },
  };
}
