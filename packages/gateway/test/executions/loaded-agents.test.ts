import { builtinTools } from "@yagate/builtins/builtin-tools";
import type { Agent } from "@yagate/protocol";
import type { AgentRow } from "@yagate/store/port";
import { createArgumentValidator } from "@yagate/tool-definitions/arguments/argument-validator";
import { expect, it } from "vitest";
import { createWorld, NOW } from "../../../webhooks/test/support/dispatch-world.ts";
import { createLoadAgent } from "../../src/executions/run/loaded-agents.ts";
import { createToolset } from "../../src/tools/toolset/toolset.ts";
import { createSavedReferences } from "../../src/workspace-tools/saved-references.ts";
import { agentWith, lookupOrder } from "../tools/toolset-world.ts";

const TOOL = { id: "tool_1", name: "lookup_order", kind: "handler", capabilityKey: null, status: "created" } as const;
const AT = "2026-11-21T06:00:00.000Z";

/** Versions of one agent, each of which has the saved tool of the same version; counts what loading them reads and creates. */
async function openAgents(bounds: { readonly maxVersions?: number; readonly maxCharacters?: number } = {}) {
  const { dispatcher } = await createWorld();
  const counts = { agents: 0, tools: 0, toolsets: 0 };
  const missing = new Set<number>();
  const versions = (version: number): Agent => agentWith([{ tool: TOOL.id, version }], { version });
  const resolveReferences = createSavedReferences({
    tools: {
      async findVersion(_id, version) {
        counts.tools += 1;
        const definition = { ...lookupOrder, description: `Version ${version}` };
        const tool = { ...TOOL, version, definition, toolkitId: null, slots: 1, warnings: [], lastTest: null };
        return { workspaceId: "ws_1", tool: { ...tool, createdAt: AT, updatedAt: AT }, archivedAt: null };
      },
    },
  });
  const options = {
    ...{ dispatcher, builtins: builtinTools(), argumentValidator: createArgumentValidator(), resolveReferences },
    ...{ now: () => NOW, onError: () => {} },
  };
  const loadAgent = createLoadAgent({
    agents: {
      async findVersion(_id, version): Promise<AgentRow | undefined> {
        counts.agents += 1;
        return missing.has(version) ? undefined : { workspaceId: "ws_1", agent: versions(version), archivedAt: null };
      },
    },
    createToolset(agent) {
      counts.toolsets += 1;
      return createToolset(agent, options);
    },
    ...bounds,
  });
  const load = (agentVersion: number) => loadAgent({ agentId: "agt_01", agentVersion });
  return { load, counts, missing };
}

it("loads each version once, however many executions ask for it", async () => {
  const { load, counts } = await openAgents();
  const [first, second] = await Promise.all([load(1), load(1)]);
  expect(second).toBe(first);
  for (let times = 0; times < 20; times += 1) expect(await load(1)).toBe(first);
  expect(counts).toEqual({ agents: 1, tools: 1, toolsets: 1 });
});

it("loads the new version after an update of the agent or its tool, and keeps the old one for its executions", async () => {
  const { load, counts } = await openAgents();
  const old = await load(1);
  const updated = await load(2);
  expect(updated.toolset.tools.get("lookup_order")?.description).toContain("Version 2");
  expect(await load(1)).toBe(old);
  expect(old.toolset.tools.get("lookup_order")?.description).toContain("Version 1");
  expect(counts).toEqual({ agents: 2, tools: 2, toolsets: 2 });
});

it("keeps no more definitions than its bound, and evicts the version used least recently", async () => {
  const { toolset } = await (await openAgents()).load(1);
  const { load, counts } = await openAgents({ maxCharacters: 2 * toolset.definitionCharacters });
  for (const version of [1, 2, 1, 3, 1]) await load(version);
  expect(counts.toolsets).toBe(3);
  await load(2);
  expect(counts.toolsets).toBe(4);
});

it("does not keep an agent that is larger than the bound", async () => {
  const { toolset } = await (await openAgents()).load(1);
  const { load, counts } = await openAgents({ maxCharacters: toolset.definitionCharacters - 1 });
  await load(1);
  await load(1);
  expect(counts.toolsets).toBe(2);
});

it("loads again what could not be loaded", async () => {
  const { load, counts, missing } = await openAgents();
  missing.add(1);
  await expect(load(1)).rejects.toThrow("expected the agent version");
  missing.clear();
  await load(1);
  expect(counts).toEqual({ agents: 2, tools: 1, toolsets: 1 });
});

it("gives every caller its agent, also when it was evicted while it loaded", async () => {
  const { load } = await openAgents({ maxVersions: 1 });
  const loaded = await Promise.all([load(1), load(2), load(3)]);
  expect(loaded.map(({ agent }) => agent.version)).toEqual([1, 2, 3]);
});
