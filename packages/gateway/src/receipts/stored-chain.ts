import { hash } from "node:crypto";
import { isJsonObject } from "@yagate/lib/json/json-object";
import { parseJsonOrUndefined } from "@yagate/lib/json/parse-json";
import type { StoredSubject } from "@yagate/store/port";

/** The values at the start of a chain: the subject, and the parsed request. */
export interface ChainStart {
  readonly subject: Omit<StoredSubject, "request">;
  readonly request: unknown;
}

/**
 * Returns the first hash of a stored chain.
 *
 * The stored chain hashes the exact bytes of the stored entries, which is fast because the entries are serialised
 * anyway. The chain of a receipt, which other parties recompute, hashes the contents of the entries instead.
 */
export function startHash({ subject, request }: ChainStart, agentHash: string): string {
  const { executionId, workspaceId, agentId, agentVersion, startedByKeyId, createdAt } = subject;
  const fields = [executionId, workspaceId, agentId, agentVersion, agentHash, startedByKeyId, createdAt, request];
  return hash("sha256", JSON.stringify(fields), "hex");
}

/** Returns the hash after an entry, from the previous hash and the text of the entry. */
export function nextHash(previous: string, text: string): string {
  return hash("sha256", previous + text, "hex");
}

/** Parses the stored request of an execution, without the trace that is stored with it. */
export function parseRequest(text: string): unknown {
  const stored = parseJsonOrUndefined(text);
  if (!isJsonObject(stored)) return stored;
  return Object.fromEntries(Object.entries(stored).filter(([name]) => name !== "trace"));
}
