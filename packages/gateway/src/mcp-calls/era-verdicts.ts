import type { Redaction } from "@yagate/lib/redaction/redaction";
import type { EraVerdict } from "@yagate/mcp/client/port";
import { YagateError } from "@yagate/protocol";
import type { EraKey, SourceEra, ToolSourceStore } from "@yagate/store/port";
import { LRUCache } from "lru-cache";

/**
 * How long a verdict is used, in ms: 24 hours. A server that no longer supports the newest revision
 * rejects a call at once; other changes go unnoticed, so the verdict expires.
 */
const MAX_AGE_MS = 86_400_000;
/** Maximum length of a stored verdict, in characters. It contains what the server says about itself. */
const MAX_CHARACTERS = 16_384;
const MAX_CACHED = 1_000;

/** Which revisions of the protocol the servers support, so that a connection need not ask. */
export interface EraVerdicts {
  find(key: EraKey): Promise<EraVerdict | undefined>;
  /**
   * Saves the verdict of a connection. It contains what the server says about itself, so credentials are removed.
   */
  note(key: EraKey, found: EraVerdict | undefined, connection: NotedConnection): Promise<void>;
}

export interface NotedConnection {
  /** The verdict with which the connection was opened; undefined if it asked the server. */
  readonly used: EraVerdict | undefined;
  /** The redaction of the credentials that the connection has sent. */
  readonly redaction: Pick<Redaction, "text">;
}

export interface EraVerdictsOptions {
  readonly store: Pick<ToolSourceStore, "findEra" | "saveEra">;
  readonly now: () => number;
}

export function createEraVerdicts({ store, now }: EraVerdictsOptions): EraVerdicts {
  const known = new LRUCache<string, SourceEra>({ max: MAX_CACHED });
  const keyOf = ({ sourceId, client }: EraKey) => `${sourceId} ${client}`;

  return {
    async find(key) {
      const era = known.get(keyOf(key)) ?? (await store.findEra(key));
      if (era === undefined || now() - era.determinedAt >= MAX_AGE_MS) return undefined;
      known.set(keyOf(key), era);
      // This module wrote the verdict.
      return JSON.parse(era.verdict);
    },
    async note(key, found, { used, redaction }) {
      if (found === undefined) return;
      const verdict = redaction.text(JSON.stringify(withoutInstructions(found)));
      const isKnown = used !== undefined && verdict === JSON.stringify(withoutInstructions(used));
      if (isKnown || verdict.length > MAX_CHARACTERS) return;
      const era = { verdict, determinedAt: now() };
      known.set(keyOf(key), era);
      try {
        await store.saveEra(key, era);
      } catch (error) {
        // A verdict only saves requests, so its loss must not fail the call that found it.
        if (!YagateError.is(error) || error.code !== "UNAVAILABLE") throw error;
      }
    },
  };
}

/** A server's instructions are text for a model, which never reads them. */
function withoutInstructions(verdict: EraVerdict): EraVerdict {
  if (verdict.kind === "legacy") return verdict;
  const { instructions: _instructions, ...discover } = verdict.discover;
  return { ...verdict, discover };
}
