import { createHash } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Yagate } from "@yagate/client";
import type { ToolSourceReport } from "@yagate/gateway";
import { parseJsonOrUndefined } from "@yagate/lib/json/parse-json";
import {
  type CreateToolSource,
  createAgentSchema,
  createToolSourceSchema,
  type ToolSource,
  toFieldErrors,
  toVisibleLine,
} from "@yagate/protocol";
import * as z from "zod";
import { WrongFieldsError } from "../../frame/wrong-fields.ts";
import type { StdioServers } from "../stdio-servers/stdio-servers.ts";
import { withAgentDefaults } from "./agent-defaults.ts";
import { namesForAgent, withKnownTools } from "./agent-references.ts";
import type { ConfigEntry } from "./config-schema.ts";
import { describeFault, type KnownNames } from "./entry-faults.ts";
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
interface Kind<Item> {
  readonly label: string;
  /** The field of the configuration with the entries. */
  readonly field: "agents" | "sources";
  readonly existing: readonly Resource[];
  /** Returns the names that an entry can refer to, so that messages can suggest one for a misspelled name. */
  knownNames(entry: ConfigEntry): Promise<KnownNames>;
  /** @throws WrongFieldsError if the entry is not valid. */
  prepare(entry: ConfigEntry): Promise<Item>;
  create(item: Item): Promise<Resource>;
  /** Returns whether the resource is different from before. */
  update(id: string, item: Item): Promise<{ readonly id: string; readonly isChanged: boolean }>;
  delete(id: string): Promise<void>;
}

export interface ConfiguredResourcesOptions {
  readonly client: Yagate;
  /** The record of the entries that were applied. */
  readonly dataDir: string;
  /** Prints a line. */
  readonly note: (text: string) => void;
  /** Reports a tool source that was created or changed, but cannot be read. */
  readonly onSource: (report: ToolSourceReport) => void;
  /** The MCP servers that run as commands. */
  readonly servers: Pick<StdioServers, "prepare" | "keepOnly">;
}

/** What the application of a configuration did. */
interface Outcome {
  readonly note: (text: string) => void;
  /** Why entries could not be applied. Each line starts with the entry, such as `agent Desk: `. */
  readonly faults: string[];
  changes: number;
}

/**
 * Keeps the agents and tool sources of a gateway in step with a configuration. An entry is applied only if it has
 * changed since it was last applied, so changes that were made by other means remain. If entries fail, the others are
 * still applied, and the failures are printed last.
 *
 * @returns whether the file was applied completely, and whether this changed anything.
 */
export async function applyResources(
  config: DevConfig,
  options: ConfiguredResourcesOptions,
): Promise<{ readonly isComplete: boolean; readonly isChanged: boolean }> {
  const { client, dataDir, note } = options;
  const file = join(dataDir, RECORD_FILE);
  const { agents, sources } = await readRecord(file);
  const sourceKind = await kindOfSources(options);
  const agentKind = await kindOfAgents(client);
  const outcome: Outcome = { note, faults: [], changes: 0 };
  // Agents refer to sources, so sources are created first and deleted last.
  await applyEntries(config, sources, sourceKind, outcome);
  await applyEntries(config, agents, agentKind, outcome);
  await deleteRemoved(config, agents, agentKind, outcome);
  await deleteRemoved(config, sources, sourceKind, outcome);
  await options.servers.keepOnly(config.sources);
  const partial = `${file}.${process.pid}`;
  await writeFile(partial, JSON.stringify({ agents, sources }), { mode: 0o600 });
  await rename(partial, file);
  const { faults, changes } = outcome;
  if (faults.length === 1) note(`✕ config: applied, except ${faults[0]}`);
  else if (faults.length > 1) note(["✕ config: applied, except:", ...faults].join("\n  "));
  return { isComplete: faults.length === 0, isChanged: changes > 0 };
}

async function kindOfSources({
  client,
  onSource,
  servers,
}: ConfiguredResourcesOptions): Promise<Kind<CreateToolSource>> {
  const existing = await client.sources.list({ limit: 200 }).toArray();
  const reported = (source: ToolSource) => {
    const { id, name, reason, statusAt: at } = source;
    if (reason !== null) onSource({ type: "failed", at, source: { id, name }, ...reason });
    return source;
  };
  return {
    label: "tool source",
    field: "sources",
    existing,
    knownNames: async () => ({}),
    async prepare(entry) {
      const { source, start } = await servers.prepare(entry);
      const valid = validated(createToolSourceSchema, source);
      await start();
      return valid;
    },
    create: async (source) => reported(await client.sources.create(source)),
    async update(id, { name: _name, accept: _accept, ...settings }) {
      const { kind, ...change } = settings;
      const current = existing.find((source) => source.id === id);
      if (current === undefined || current.kind === kind) {
        // The default of a gateway for development. An update without the field would keep the saved value.
        const reset = kind === "handler" ? { onChange: "accept" as const } : {};
        const isChanged = Object.entries({ ...reset, ...change }).some(
          ([field, value]) => !isDeepStrictEqual(current?.[field], value),
        );
        return { ...reported(await client.sources.update(id, { ...reset, ...change })), isChanged };
      }
      await client.sources.delete(id, { force: true });
      return { ...reported(await client.sources.create({ name: current.name, ...settings })), isChanged: true };
    },
    delete: (id) => client.sources.delete(id),
  };
}

async function kindOfAgents(client: Yagate): Promise<Kind<z.output<typeof createAgentSchema>>> {
  const existing = await client.agents.list({ limit: 200 }).toArray();
  return {
    label: "agent",
    field: "agents",
    existing,
    knownNames: (entry) => namesForAgent(client, entry),
    prepare: async (entry) => validated(createAgentSchema, await withKnownTools(client, entry)),
    create: (agent) => client.agents.create(agent),
    async update(id, agent) {
      const current = existing.find((one) => one.id === id);
      const { version } = await client.agents.update(id, withAgentDefaults(agent, current));
      return { id, isChanged: version !== current?.version };
    },
    delete: (id) => client.agents.delete(id),
  };
}

/** Validates an entry, and adds the default values. */
function validated<Schema extends z.ZodType>(schema: Schema, entry: unknown): z.output<Schema> {
  const parsed = schema.safeParse(entry);
  if (parsed.success) return parsed.data;
  throw new WrongFieldsError(toFieldErrors(parsed.error));
}

async function applyEntries<Item>(
  { text, ...config }: DevConfig,
  entries: Entries,
  kind: Kind<Item>,
  outcome: Outcome,
): Promise<void> {
  for (const [index, entry] of config[kind.field].entries()) {
    const { name } = entry;
    const what = `${kind.label} ${name}`;
    try {
      const item = await kind.prepare(entry);
      const hash = createHash("sha256").update(JSON.stringify(item)).digest("hex");
      const existing = kind.existing.find((resource) => resource.name === name);
      const known = entries[name];
      if (existing !== undefined && known?.id === existing.id && known.hash === hash) continue;
      const { id, isChanged } =
        existing === undefined
          ? { id: (await kind.create(item)).id, isChanged: true }
          : await kind.update(existing.id, item);
      const isOwn = existing === undefined || (known?.id === existing.id && known.isOwn);
      entries[name] = { id, hash, isOwn };
      if (isChanged) changed(outcome, what, existing === undefined ? "created" : "updated");
    } catch (error) {
      const known = await kind.knownNames(entry).catch(() => ({}));
      const lines = describeFault(error, { entry, path: `${kind.field}[${index}]`, text, known });
      outcome.faults.push(...lines.map((line) => toVisibleLine(`${what}: ${line}`)));
    }
  }
}

/** Deletes what the configuration created and no longer contains. Other resources stay. */
async function deleteRemoved<Item>(
  config: DevConfig,
  entries: Entries,
  kind: Kind<Item>,
  outcome: Outcome,
): Promise<void> {
  for (const [name, { id, isOwn }] of Object.entries(entries)) {
    if (config[kind.field].some((item) => item.name === name)) continue;
    const isPresent = kind.existing.some((resource) => resource.id === id);
    const what = `${kind.label} ${name}`;
    try {
      if (isOwn && isPresent) {
        await kind.delete(id);
        changed(outcome, what, "deleted, because the configuration no longer contains it");
      }
      delete entries[name];
    } catch (error) {
      outcome.faults.push(toVisibleLine(`${what}: ${error instanceof Error ? error.message : String(error)}`));
    }
  }
}

function changed(outcome: Outcome, what: string, how: string): void {
  outcome.changes += 1;
  outcome.note(toVisibleLine(`config: ${what} was ${how}`));
}

async function readRecord(file: string): Promise<z.output<typeof recordSchema>> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  const parsed = recordSchema.safeParse(parseJsonOrUndefined(text));
  return parsed.success ? parsed.data : { agents: {}, sources: {} };
}
