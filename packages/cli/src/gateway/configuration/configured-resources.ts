import { createHash } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Yagate } from "@yagate/client";
import { parseJsonOrUndefined } from "@yagate/lib/json/parse-json";
import { jsonObjectSchema, type ToolSource, toVisibleLine } from "@yagate/protocol";
import * as z from "zod";
import { withToolIds } from "../../agents/named-tools.ts";
import { commandName } from "../../command-name.ts";
import type { DevConfig } from "./load-config.ts";

const RECORD_FILE = "config-resources.json";

const entrySchema = z.object({
  id: z.string(),
  /** The hash of the entry of the file that was applied last. */
  hash: z.string(),
  /** Whether the configuration created the resource, so that it is deleted with its entry. */
  isOwn: z.boolean(),
});
const recordSchema = z.object({
  agents: z.record(z.string(), entrySchema),
  sources: z.record(z.string(), entrySchema),
});
type Entries = z.output<typeof recordSchema>["agents"];

interface Resource {
  readonly id: string;
  readonly name: string;
}

/** How the resources of one kind are changed. */
interface Kind<Item extends { readonly name: string }> {
  readonly label: string;
  readonly existing: readonly Resource[];
  create(item: Item): Promise<Resource>;
  update(id: string, item: Item): Promise<Resource>;
  delete(id: string): Promise<void>;
}

export interface ConfiguredResourcesOptions {
  readonly client: Yagate;
  /** Where it is recorded what was applied. */
  readonly dataDir: string;
  /** Prints a line. */
  readonly note: (text: string) => void;
}

/**
 * Keeps the agents and tool sources of a gateway in step with a configuration. An entry is applied only if it changed
 * since it was applied last, so that changes by other means stay. Failures are printed; the other entries are applied.
 */
export async function applyResources(config: DevConfig, options: ConfiguredResourcesOptions): Promise<void> {
  const { client, dataDir, note } = options;
  const file = join(dataDir, RECORD_FILE);
  const { agents, sources } = await readRecord(file);
  const sourceKind = await kindOfSources(client, note);
  const agentKind = await kindOfAgents(client);
  // Agents refer to sources, so sources are created first and deleted last.
  await applyEntries(config.sources, sources, sourceKind, note);
  await applyEntries(config.agents, agents, agentKind, note);
  await deleteRemoved(config.agents, agents, agentKind, note);
  await deleteRemoved(config.sources, sources, sourceKind, note);
  const partial = `${file}.${process.pid}`;
  await writeFile(partial, JSON.stringify({ agents, sources }), { mode: 0o600 });
  await rename(partial, file);
}

async function kindOfSources(
  client: Yagate,
  note: (text: string) => void,
): Promise<Kind<DevConfig["sources"][number]>> {
  const existing = await client.sources.list({ limit: 200 }).toArray();
  const shown = (source: ToolSource) => {
    const { name, reason, toolCounts } = source;
    if (reason !== null) note(toVisibleLine(`tool source ${name}: ${reason.code}: ${reason.message}`));
    if (toolCounts.held > 0)
      note(`tool source ${name}: tools wait for a review: ${commandName()} sources diff ${name}`);
    return source;
  };
  return {
    label: "tool source",
    existing,
    create: async (source) => shown(await client.sources.create(source)),
    async update(id, { name: _name, accept: _accept, ...settings }) {
      const { kind, ...change } = settings;
      const current = existing.find((source) => source.id === id);
      if (current === undefined || current.kind === kind) return shown(await client.sources.update(id, change));
      await client.sources.delete(id, { force: true });
      return shown(await client.sources.create({ name: current.name, ...settings }));
    },
    delete: (id) => client.sources.delete(id),
  };
}

async function kindOfAgents(client: Yagate): Promise<Kind<DevConfig["agents"][number]>> {
  const prepared = async (agent: DevConfig["agents"][number]) => ({
    ...agent,
    ...(await withToolIds(client, jsonObjectSchema.parse({ tools: agent.tools }))),
  });
  return {
    label: "agent",
    existing: await client.agents.list({ limit: 200 }).toArray(),
    create: async (agent) => client.agents.create(await prepared(agent)),
    update: async (id, agent) => client.agents.update(id, await prepared(agent)),
    delete: (id) => client.agents.delete(id),
  };
}

async function applyEntries<Item extends { readonly name: string }>(
  items: readonly Item[],
  entries: Entries,
  kind: Kind<Item>,
  note: (text: string) => void,
): Promise<void> {
  for (const item of items) {
    const { name } = item;
    const hash = createHash("sha256").update(JSON.stringify(item)).digest("hex");
    const existing = kind.existing.find((resource) => resource.name === name);
    const entry = entries[name];
    if (existing !== undefined && entry?.id === existing.id && entry.hash === hash) continue;
    await reported(`${kind.label} ${name}`, note, async () => {
      const { id } = existing === undefined ? await kind.create(item) : await kind.update(existing.id, item);
      const isOwn = existing === undefined || (entry?.id === existing.id && entry.isOwn);
      entries[name] = { id, hash, isOwn };
      return existing === undefined ? "created" : "updated";
    });
  }
}

/** Deletes what the configuration created and no longer contains. Other resources stay. */
async function deleteRemoved<Item extends { readonly name: string }>(
  items: readonly Item[],
  entries: Entries,
  kind: Kind<Item>,
  note: (text: string) => void,
): Promise<void> {
  for (const [name, { id, isOwn }] of Object.entries(entries)) {
    if (items.some((item) => item.name === name)) continue;
    const isPresent = kind.existing.some((resource) => resource.id === id);
    if (!isOwn || !isPresent) {
      delete entries[name];
      continue;
    }
    await reported(`${kind.label} ${name}`, note, async () => {
      await kind.delete(id);
      delete entries[name];
      return "deleted, because the configuration no longer contains it";
    });
  }
}

async function reported(what: string, note: (text: string) => void, act: () => Promise<string>): Promise<void> {
  try {
    note(toVisibleLine(`config: ${what} was ${await act()}`));
  } catch (error) {
    note(toVisibleLine(`✕ config: ${what}: ${error instanceof Error ? error.message : String(error)}`));
  }
}

async function readRecord(file: string): Promise<z.output<typeof recordSchema>> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  const parsed = recordSchema.safeParse(parseJsonOrUndefined(text));
  return parsed.success ? parsed.data : { agents: {}, sources: {} };
}
