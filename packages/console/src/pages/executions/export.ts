import type { Execution } from "@yagate/protocol";
import { download } from "../../api/download.ts";
import { type ExecutionFilter, listExecutions } from "../../api/executions.ts";

const PAGE = 200;
/** How many executions one file contains at most. */
export const MOST_EXPORTED = 10_000;

/** Reads all executions that match, page by page, and offers them as a file with one JSON object on each line. */
export async function exportExecutions(filter: ExecutionFilter): Promise<void> {
  const found: Execution[] = [];
  let cursor: string | undefined;
  do {
    const page = await listExecutions({ filter, cursor, limit: PAGE });
    found.push(...page.data);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && found.length < MOST_EXPORTED);
  const text = found.map((execution) => `${JSON.stringify(execution)}\n`).join("");
  download("executions.jsonl", "application/x-ndjson", text);
}
