import { expect, it } from "vitest";
import { createAgedCache } from "../../builtins/src/search/cache/result-cache.ts";
import { createAgentHashes } from "../../receipts/src/agent-hashes.ts";
import { LiveSecrets } from "../../secrets/src/live-secrets.ts";
import { PrincipalCache } from "../../secrets/src/principal-cache.ts";
import { agentOf, NOW } from "../../store/test/support/fixtures.ts";
import { CompiledSchemas } from "../../tool-definitions/src/arguments/compiled-schemas.ts";
import { createLoadAgent } from "../src/executions/run/loaded-agents.ts";
import { WorkspaceCache } from "../src/tools/integrations/workspace-cache.ts";
import type { Toolset } from "../src/tools/port.ts";

/** Makes a function that reads the value of a number through a cache; `source` gets each number that is not in it. */
type Caching = (source: (key: number) => void) => (key: number) => unknown;

const now = () => NOW;

function agentsFrom(source: (version: number) => void) {
  return {
    async findVersion(id: string, version: number) {
      source(version);
      return { workspaceId: "ws_1", agent: agentOf({ id, version }), archivedAt: null };
    },
  };
}

async function noTools(): Promise<Toolset> {
  const toolset: Toolset = {
    tools: new Map(),
    definitionCharacters: 2,
    hostedTools: [],
    get withArtifacts() {
      return toolset;
    },
    refusalOf: () => undefined,
  };
  return toolset;
}

it.each<[string, number, Caching]>([
  [
    "versions of agents that are ready to run",
    500,
    (source) => {
      const load = createLoadAgent({ agents: agentsFrom(source), createToolset: noTools });
      return (agentVersion) => load({ agentId: "agt_1", agentVersion });
    },
  ],
  [
    "hashes of versions",
    1_000,
    (source) => {
      const hashOf = createAgentHashes(agentsFrom(source));
      return (version) => hashOf("agt_1", version);
    },
  ],
  [
    "opened secrets",
    4_096,
    (source) => {
      const secrets = new LiveSecrets({
        now,
        async load(_workspaceId, name) {
          source(Number(name));
          return [{ text: "s", expiresAt: null }];
        },
      });
      return (key) => secrets.textsOf("ws_1", String(key));
    },
  ],
  [
    "API keys",
    1_024,
    (source) => {
      const principals = new PrincipalCache(now, async (name) => {
        source(Number(name));
        return { workspaceId: "ws_1", keyId: name, scopes: new Set() };
      });
      return (key) => principals.find(String(key));
    },
  ],
  [
    "settings of workspaces",
    1_000,
    (source) => {
      const workspaces = new WorkspaceCache({ now, load: async (id) => source(Number(id)) });
      return (key) => workspaces.find(String(key));
    },
  ],
  ["search results, by their number", 10, (source) => searchResults(source, { maxEntries: 10, maxCharacters: 1_000 })],
  // Each has a key of one digit and a value of nine characters.
  ["search results, by their size", 9, (source) => searchResults(source, { maxEntries: 100, maxCharacters: 90 })],
  ["compiled schemas, by their number", 10, (source) => schemas(source, { maxEntries: 10, maxWeight: 1_000 })],
  // Each has a schema and one of its property.
  ["compiled schemas, by their weight", 5, (source) => schemas(source, { maxEntries: 100, maxWeight: 10 })],
])("of %s the one that was not used for longest is dropped first", async (_name, bound, caching) => {
  const read: number[] = [];
  const use = caching((key) => read.push(key));
  for (let key = 0; key < bound; key += 1) await use(key);
  await use(0);
  expect(read).toHaveLength(bound);

  await use(bound);
  await use(0);
  expect(read.slice(bound)).toEqual([bound]);
  await use(1);
  expect(read.slice(bound)).toEqual([bound, 1]);
});

function searchResults(source: (key: number) => void, bounds: { maxEntries: number; maxCharacters: number }) {
  const cache = createAgedCache<string>({ ...bounds, charactersOf: (value) => value.length, now });
  return (key: number) => {
    if (cache.get(String(key), 1_000) !== undefined) return;
    source(key);
    cache.set(String(key), "x".repeat(9));
  };
}

function schemas(source: (key: number) => void, bounds: { maxEntries: number; maxWeight: number }) {
  const compiled = new CompiledSchemas({ ...bounds, onCompile: (hash) => source(Number(hash)) });
  const schema = { type: "object", properties: { a: { type: "string" } } };
  return (key: number) => compiled.get(String(key), schema);
}

it("a schema that is heavier than all schemas may be is compiled once while no other is used", () => {
  const read: number[] = [];
  const use = schemas((key) => read.push(key), { maxEntries: 10, maxWeight: 1 });
  for (const key of [1, 1, 2, 2, 1]) use(key);
  expect(read).toEqual([1, 2, 1]);
});
