import { randomUUID } from "node:crypto";

/**
 * The form in which an append is stored. In form 1, the messages of attempts are rows of `exchanges`, each tool call and
 * attempt has a row of `call_ids`, and seals hash each entry. In form 2, the messages are in the row of their append, an
 * id that contains its execution has no row, and seals hash the append as one text. A store may contain both.
 */
export type StoredForm = 1 | 2;

/** The newest form that this version reads. It also reads the older ones. */
export const NEWEST_FORM = 2;

const OWNER_PREFIX = `reads-${NEWEST_FORM}-`;

/** Creates the name under which a process owns executions. It states the newest form that the process reads. */
export function newOwner(): string {
  return `${OWNER_PREFIX}${randomUUID()}`;
}

/** Returns whether a process with this name reads form 2. Processes of versions without that form have other names. */
export function readsNewestForm(owner: string): boolean {
  return owner.startsWith(OWNER_PREFIX);
}
