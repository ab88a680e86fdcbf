import { setTimeout as sleep } from "node:timers/promises";
import type { SealedKind, SealedText, SealedTextStore, SettingStore } from "@yagate/store/port";
import { resealCanary } from "./canary.ts";
import type { Keyring } from "./keyring.ts";
import { oauthGrantContext } from "./oauth-context.ts";
import { kidOf, type SealContext, type Sealer } from "./seal.ts";
import { signingSecretContext } from "./signing-secrets.ts";
import { workspaceSecretContext } from "./workspace-secrets.ts";

const KINDS: readonly SealedKind[] = ["workspace-secret", "signing-secret", "oauth-grant"];
/** Number of values that are read and re-encrypted in one commit. */
const BATCH = 50;
/** Pause between batches in ms, so that concurrent appends hardly wait. */
const PAUSE_MS = 20;
const FIRST_PASS_AFTER_MS = 1_000;
/**
 * Interval between passes in ms. Passes are repeated, because another replica may encrypt with the previous active key
 * until it restarts.
 */
const PASS_EVERY_MS = 600_000;

/** The result of a pass. */
export interface ResealReport {
  /** Number of values that were re-encrypted with the active key. */
  readonly resealed: number;
  /** Number of encrypted values by the id of their master key; `unknown` for values without the id of a key. */
  readonly remaining: ReadonlyMap<string, number>;
  /** Ids of master keys that are needed but not configured. */
  readonly missing: readonly string[];
  /**
   * Ids of configured older master keys with which no value is encrypted any longer. Empty as long as a value can't be
   * decrypted.
   */
  readonly unused: readonly string[];
}

export interface ResealingOptions {
  readonly store: SealedTextStore;
  readonly settings: SettingStore;
  readonly keyring: Keyring;
  readonly sealer: Sealer;
  readonly onReport: (report: ResealReport) => void;
  readonly onError: (error: unknown) => void;
  /** Waits between two batches, and rejects when the signal is aborted. Tests replace it. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Re-encrypts, in the background, values that are encrypted with older master keys, so that those keys can be removed.
 */
export interface Resealing {
  start(): void;
  /**
   * Makes one pass over all encrypted texts. This is safe while other replicas do the same and values change: a text
   * that has changed in the meantime is not overwritten. The canary is re-encrypted last, and only if every text could
   * be decrypted.
   */
  pass(): Promise<ResealReport>;
  /** Stops. Resolves after the current batch. */
  stop(): Promise<void>;
}

export function createResealing(options: ResealingOptions): Resealing {
  const { store, settings, keyring, sealer, onReport, onError } = options;
  const pause = options.pause ?? ((ms, signal) => sleep(ms, undefined, { signal, ref: false }));
  const { kid: active } = keyring.active;
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void> | undefined;

  /**
   * Re-encrypts a text.
   * @returns undefined if the text is already encrypted with the active key or can't be decrypted.
   */
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
      // With only one key there is nothing to re-encrypt, because values that are encrypted with other keys can't be decrypted.
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
  switch (kind) {
    case "workspace-secret":
      return workspaceSecretContext(workspaceId, name);
    case "signing-secret":
      return signingSecretContext({ workspaceId, name, id });
    case "oauth-grant":
      return oauthGrantContext({ workspaceId, sourceId: id, place: name });
  }
}
