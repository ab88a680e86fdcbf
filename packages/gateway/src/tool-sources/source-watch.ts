import { MAX_TOOL_SOURCES, YagateError } from "@yagate/protocol";
import type { ChangeRecorder, ToolSourceStore } from "@yagate/store/port";
import type { ToolSourceReport } from "../config/development-config.ts";
import type { FetchDefinitions, SourceOfKind } from "./port.ts";
import type { SourceSync } from "./source-sync.ts";

/** Interval between checks of the watched sources, in ms. */
const LOOK_MS = 1_000;
const READ_TIMEOUT_MS = 5_000;
/**
 * Number of consecutive failed reads after which a source counts as down: a handler that restarts fails once or twice.
 */
const REPORTED_FAILURES = 3;

export interface SourceWatchOptions {
  readonly store: Pick<ToolSourceStore, "list">;
  readonly describeHandler: FetchDefinitions<"handler">;
  readonly sync: Pick<SourceSync, "run">;
  /** Records the tools that a sync accepts. */
  readonly recorder: ChangeRecorder;
  readonly workspaceId: string;
  /** Whether the handler with this URL is watched. */
  readonly isWatched: (url: string) => boolean;
  readonly onReport: (report: ToolSourceReport) => void;
  readonly onError: (error: unknown) => void;
  readonly now: () => number;
}

/**
 * Syncs the sources of a workspace within about a second after what they publish has changed, for development. Nothing
 * is stored while they publish the same.
 */
export interface SourceWatch {
  start(): void;
  /** Reads every watched source once, and syncs those that changed. */
  look(): Promise<void>;
  stop(): Promise<void>;
}

type WatchedSource = SourceOfKind<"handler"> & { readonly name: string };

interface Seen {
  /** What the source published; undefined if the latest read failed. */
  readonly published?: string;
  /** Number of consecutive failed reads. */
  readonly failures: number;
}

export function createSourceWatch(options: SourceWatchOptions): SourceWatch {
  const { store, describeHandler, sync, recorder, workspaceId, isWatched, onReport, onError, now } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const seen = new Map<string, Seen>();
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;

  async function check(source: WatchedSource): Promise<void> {
    const before = seen.get(source.id);
    let published: string;
    try {
      published = await read(source);
    } catch (error) {
      const failures = (before?.failures ?? 0) + 1;
      seen.set(source.id, { failures });
      if (failures === REPORTED_FAILURES) report(source, error);
      return;
    }
    if (published === before?.published) return;
    seen.set(source.id, { published, failures: 0 });
    // Also after a failed look, because the stored status may be that of a source that is down.
    await sync.run(source.workspaceId, source.id, { recorder, signal }).catch((error: unknown) => {
      report(source, error);
      // If the handler changed between the two reads, the next reads fail for the reason that was just reported.
      seen.set(source.id, { published, failures: REPORTED_FAILURES });
    });
  }

  async function read(source: WatchedSource): Promise<string> {
    const reading = AbortSignal.any([signal, AbortSignal.timeout(READ_TIMEOUT_MS)]);
    const { definitions } = await describeHandler(source, { signal: reading });
    return JSON.stringify(definitions);
  }

  function report({ id, name }: WatchedSource, error: unknown): void {
    if (signal.aborted) return;
    if (!YagateError.is(error)) throw error;
    const { code, message } = error;
    onReport({ type: "failed", at: new Date(now()).toISOString(), source: { id, name }, code, message });
  }

  async function lookAtAll(): Promise<void> {
    const { data } = await store.list(workspaceId, { limit: MAX_TOOL_SOURCES });
    const watched = data.flatMap(({ id, name, settings }) =>
      settings.kind === "handler" && isWatched(settings.url) ? [{ id, workspaceId, name, settings }] : [],
    );
    await Promise.all(watched.map(check));
  }

  function look(): Promise<void> {
    looking ??= lookAtAll().finally(() => {
      looking = undefined;
    });
    return looking;
  }

  return {
    look,
    start() {
      timer = setInterval(() => look().catch(onError), LOOK_MS);
      timer.unref();
    },
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await looking?.catch(() => undefined);
    },
  };
}
