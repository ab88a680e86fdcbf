import { createHash } from "node:crypto";
import { defined } from "@yagate/lib/objects/defined";
import { type AuditEntry, MAX_AUDITED_BYTES } from "@yagate/protocol";
import type { AuditRow, ChangeRecorder } from "./audit.ts";

/** Who made changes, and from where. */
export interface ChangeOrigin {
  readonly actor: AuditEntry["actor"];
  readonly address: string | null;
  readonly requestId: string | null;
}

/** The gateway itself, when it applies its configuration at startup. */
export const OPERATOR: ChangeOrigin = {
  actor: { type: "operator", keyId: null, keyName: null, workspaceId: null },
  address: null,
  requestId: null,
};

/** The gateway itself, when it syncs a tool source without a request. */
export const SCHEDULE: ChangeOrigin = {
  actor: { type: "schedule", keyId: null, keyName: null, workspaceId: null },
  address: null,
  requestId: null,
};

/** Creates the recorder for changes from one origin. */
export function createChangeRecorder(
  origin: ChangeOrigin,
  { now, newId }: { readonly now: () => number; readonly newId: (kind: "auditEntry") => string },
): ChangeRecorder {
  return {
    of(workspaceId, action, { type, idOf, nameOf, show, isAlwaysChanged = false }) {
      return (before, after): AuditRow | undefined => {
        const resource = after ?? before;
        if (resource === null) return undefined;
        const [textBefore, textAfter] = [before, after].map((state) =>
          state === null ? "null" : JSON.stringify(show(state)),
        ) as [string, string];
        if (textBefore === textAfter && !isAlwaysChanged) return undefined;
        const at = now();
        const id = newId("auditEntry");
        const name = nameOf?.(resource);
        const shown = { type, id: idOf(resource), ...defined({ name }) };
        const head = JSON.stringify({
          ...{ id, at: new Date(at).toISOString(), workspaceId, ...origin, action, resource: shown },
        });
        return {
          ...{ id, workspaceId, at, action, resourceType: type, resourceId: shown.id, keyId: origin.actor.keyId },
          entry: `${head.slice(0, -1)},"before":${bounded(textBefore)},"after":${bounded(textAfter)}}`,
        };
      };
    },
  };
}

/** Replaces a state that is too large with its size and hash. */
function bounded(text: string): string {
  const bytes = Buffer.byteLength(text);
  if (bytes <= MAX_AUDITED_BYTES) return text;
  return JSON.stringify({ omitted: "too_large", bytes, sha256: createHash("sha256").update(text).digest("hex") });
}
