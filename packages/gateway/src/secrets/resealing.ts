import { setTimeout as sleep } from "node:timers/promises";
import type { SettingStore } from "@yagate/store/port";
import type { SealedKind, SealedText, SealedTextStore } from "@yagate/store/rows/sealed-texts";
import { resealCanary } from "./canary.ts";
import type { Keyring } from "./keyring.ts";
import { kidOf, type SealContext, type Sealer } from "./seal.ts";
import { signingSecretContext } from "./signing-secrets.ts";
import { workspaceSecretContext } from "./workspace-secrets.ts";

const KINDS: readonly SealedKind[] = ["workspace-secret", "signing-secret"];
/** How many are read and sealed anew in one commit. */
const BATCH = 50;
/** Between two batches, so that whoever appends at the same time hardly waits. */
const PAUSE_MS = 20;
const FIRST_PASS_AFTER_MS = 1_000;
/** Another replica may go on sealing with the key that was the active one, until it starts anew. */
const PASS_EVERY_MS = 600_000;

/** What a pass found and did. */
export interface ResealReport {
  /** How many were sealed anew with the active key. */
  readonly resealed: number;
  /** How many are sealed with each master key now, by its id; `unknown` where a text names none. */
  readonly remaining: ReadonlyMap<string, number>;
  /** Ids of master keys that are needed and not configured. */
  readonly missing: readonly string[];
  /** Ids of older master keys that are configured and seal nothing any more; none while something can't be opened. */
  readonly unused: readonly string[];
}

export interface ResealingOptions {
  readonly store: SealedTextStore;
  readonly settings: SettingStore;
  readonly keyring: Keyring;
  readonly sealer: Sealer;
  readonly onReport: (report: ResealReport) => void;
  readonly onError: (error: unknown) => void;
  /** For tests; default waits. Rejects when the signal is aborted. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Seals in the background what an older master key has sealed with the active one, so that the old key can go. */
export interface Resealing {
  start(): void;
  /**
   * One pass over all sealed texts. Safe beside other replicas, and beside whoever changes them: what was changed
   * meanwhile stays as it was written. The canary comes last, and only when every text could be opened.
   */
  pass(): Promise<ResealReport>;
  /** Resolves after the batch that is on its way. */
  stop(): Promise<void>;
}

export function createResealing(options: ResealingOptions): Resealing {
  const { store, settings, keyring, sealer, onReport, onError } = options;
  const pause = options.pause ?? ((ms, signal) => sleep(ms, undefined, { signal, ref: false }));
  const { kid: active } = keyring.active;
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void> | undefined;

  /** Undefined where it is sealed as it should be, or can't be opened. */
  async function resealed(text: SealedText): Promise<string | undefined> {
    const kid = kidOf(text.sealed);
    if (kid === undefined || kid === active || keyring.find(kid) === undefined) return undefined;
    const context = contextOf(text);
    try {
      return await sealer.seal(await sealer.open(text.sealed, context), context);
    } catch (error) {
      onError(error);
      return undefined;
    }
  }

  async function resealBatch(texts: readonly SealedText[], remaining: Map<string, number>): Promise<number> {
    const changes: { from: SealedText; sealed: string }[] = [];
    for (const from of texts) {
      const sealed = await resealed(from);
      const kid = sealed === undefined ? (kidOf(from.sealed) ?? "unknown") : active;
      remaining.set(kid, (remaining.get(kid) ?? 0) + 1);
      if (sealed !== undefined) changes.push({ from, sealed });
    }
    return changes.length === 0 ? 0 : store.replace(changes);
  }

  async function pass(): Promise<ResealReport> {
    const remaining = new Map<string, number>();
    let count = 0;
    for (const kind of KINDS) {
      for (let after: SealedText | undefined; ; ) {
        const texts = await store.list({ kind, after, limit: BATCH });
        count += await resealBatch(texts, remaining);
        after = texts.at(-1);
        if (after === undefined || texts.length < BATCH) break;
        await pause(PAUSE_MS, signal);
      }
    }
    const others = [...remaining.keys()].filter((kid) => kid !== active);
    if (others.length === 0) await resealCanary(settings, sealer, active);
    return {
      resealed: count,
      remaining,
      missing: others.filter((kid) => keyring.find(kid) === undefined),
      unused: others.length > 0 ? [] : keyring.all.map(({ kid }) => kid).filter((kid) => kid !== active),
    };
  }

  async function repeat(): Promise<void> {
    for (let afterMs = FIRST_PASS_AFTER_MS; ; afterMs = PASS_EVERY_MS) {
      await pause(afterMs, signal).catch(() => undefined);
      if (signal.aborted) return;
      await pass().then(onReport, (error: unknown) => {
        if (!signal.aborted) onError(error);
      });
      // With one key there is nothing to seal anew: what another one sealed can't be opened.
      if (keyring.all.length === 1) return;
    }
  }

  return {
    start() {
      running ??= repeat();
    },
    pass,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

function contextOf({ kind, workspaceId, name, id }: SealedText): SealContext {
  return kind === "workspace-secret"
    ? workspaceSecretContext(workspaceId, name)
    : signingSecretContext({ workspaceId, name, id });
}
