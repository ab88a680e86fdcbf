import { type ToolSourceTest, YagateError } from "@yagate/protocol";
import type { ToolSourceRow, ToolSourceStore } from "@yagate/store/port";
import { judgeTools } from "@yagate/tool-sources/offered-tools";
import { planSync } from "@yagate/tool-sources/plan-sync";
import type { PublishedTools, ReadSource } from "./read-source.ts";
import { merged, statusOf } from "./source-status.ts";
import { failedStatus, OWN_FAILURES, syncRules } from "./source-sync.ts";
import { toSourceTools } from "./source-view.ts";
import { toKnownTools } from "./stored-tools.ts";
import { publishedChanges } from "./tool-source-report.ts";

export interface SourceTestOptions {
  readonly store: Pick<ToolSourceStore, "find" | "adoptedTools" | "revokedTools" | "tools" | "useOf">;
  /** Reads a source without storing anything. */
  readonly readSource: ReadSource;
  readonly now: () => number;
  /** As for a sync. Default false. */
  readonly acceptsEverything?: boolean;
}

/**
 * Reads a source now and says what a sync would find. Nothing is stored.
 *
 * @throws YagateError `NOT_FOUND`; failures of the gateway itself.
 */
export type TestSource = (workspaceId: string, sourceId: string, signal: AbortSignal) => Promise<ToolSourceTest>;

const NOTHING = { revision: null, generator: null, tools: [], skippedTools: [] };
const NO_CHANGES = { added: [], changed: [], removed: [], held: [] };

export function createTestSource(options: SourceTestOptions): TestSource {
  const { store, readSource, now, acceptsEverything = false } = options;

  async function compare(source: ToolSourceRow, { published, skippedTools, info }: PublishedTools) {
    const known = toKnownTools(await store.tools(source.id));
    const use = { ...(await store.useOf(source.id)), revoked: await store.revokedTools(source.id) };
    const rules = syncRules(source, use, { acceptsNew: false, acceptsEverything });
    const changes = planSync(known, published, rules);
    const after = merged(known, changes);
    const { added, changed, removed, held } = publishedChanges(known, changes);
    return {
      ...{ status: statusOf(after, source), reason: null },
      ...{ revision: info?.revision ?? null, generator: info?.generator ?? null },
      tools: toSourceTools(
        judgeTools(after, { name: source.name, ...source.settings }),
        await store.adoptedTools(source.id),
      ),
      skippedTools: [...skippedTools],
      changes: {
        ...{ added: added.toSorted(), changed: changed.toSorted() },
        ...{ removed: removed.toSorted(), held: held.toSorted() },
      },
    };
  }

  return async (workspaceId, sourceId, signal) => {
    const source = await store.find(workspaceId, sourceId);
    if (source === undefined) throw new YagateError("NOT_FOUND", "no tool source with this id in this workspace");
    const startedAt = now();
    try {
      const read = await readSource(source, signal);
      const durationMs = now() - startedAt;
      return { durationMs, ...(await compare(source, read)) };
    } catch (error) {
      if (!YagateError.is(error) || OWN_FAILURES.has(error.code) || signal.aborted) throw error;
      const { code, message } = error;
      const failed = { status: failedStatus(code), reason: { code, message } };
      return { durationMs: now() - startedAt, ...failed, ...NOTHING, changes: NO_CHANGES };
    }
  };
}
