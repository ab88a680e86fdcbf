import { hash } from "node:crypto";
import type { StoredSubject } from "@yagate/store/rows/record-rows";

/** What a chain begins with: the subject, with what the execution was started with as a value. */
export interface ChainStart {
  readonly subject: Omit<StoredSubject, "request">;
  readonly request: unknown;
}

/**
 * The hash that a stored chain begins with.
 *
 * The chain that is kept beside the entries is made of them byte by byte as they are stored, for the sake of speed:
 * they are made into texts in any case. The chain of a receipt, which others make again, is made of their contents.
 */
export function startHash({ subject, request }: ChainStart, agentHash: string): string {
  const { executionId, workspaceId, agentId, agentVersion, startedByKeyId, createdAt } = subject;
  const said = [executionId, workspaceId, agentId, agentVersion, agentHash, startedByKeyId, createdAt, request];
  return hash("sha256", JSON.stringify(said), "hex");
}

/** The hash after an entry: of the one before it, and of the entry's text. */
export function nextHash(previous: string, text: string): string {
  return hash("sha256", previous + text, "hex");
}
