import { hash } from "node:crypto";
import { isJsonObject } from "@yagate/lib/json/json-object";
import { parseJsonOrUndefined } from "@yagate/lib/json/parse-json";
import type { StoredSubject } from "@yagate/store/port";

/** The values at the start of a chain: the subject, and the parsed request. */
export interface ChainStart {
  readonly subject: Omit<StoredSubject, "request">;
  /** With the mode of the execution and what it replays. */
  readonly request: unknown;
}

/**
 * Returns the text at the start of a stored chain, which the first append follows.
 *
 * The stored chain hashes the exact bytes of the stored entries, which is fast because the entries are serialised
 * anyway. The chain of a receipt, which other parties recompute, hashes the contents of the entries instead.
 */
export function startText({ subject, request }: ChainStart, agentHash: string): string {
  const { executionId, workspaceId, agentId, agentVersion, startedByKeyId, createdAt } = subject;
  const fields = [executionId, workspaceId, agentId, agentVersion, agentHash, startedByKeyId, createdAt, request];
  return JSON.stringify(fields);
}

/** Returns the first hash of a chain whose first append has form 1. */
export function startHash(start: string): string {
  return hash("sha256", start, "hex");
}

/**
 * Returns the next hash of a chain.
 *
 * @param previous - the previous hash; in form 2, the text at the start for the first append.
 * @param text - in form 1, the text of one entry; in form 2, the text of all entries of an append.
 */
export function nextHash(previous: string, text: string): string {
  return hash("sha256", previous + text, "hex");
}

/**
 * Parses the stored request of an execution, with the mode and the replay that are stored with it, but without the
 * trace.
 */
export function parseRequest(text: string): unknown {
  const stored = parseJsonOrUndefined(text);
  if (!isJsonObject(stored)) return stored;
  return Object.fromEntries(Object.entries(stored).filter(([name]) => name !== "trace"));
}
