import type { ExecutionEvent } from "@yagate/protocol";
import { fromJson } from "../json-column.ts";
import { NAMING_FIELDS } from "./execution-tables.ts";
import { shortJson } from "./texts-apart.ts";

type NamingEvent = Partial<Record<(typeof NAMING_FIELDS)[number], string | null>> & Pick<ExecutionEvent, "type">;

/**
 * The ids that the events of one append name: of tool calls, attempts and approvals.
 *
 * @param entriesJson - as the column `entries` of the appends holds it.
 * @throws YagateError `UNAVAILABLE` when it is not JSON.
 */
export function idsNamedIn(entriesJson: string): readonly string[] {
  const entries = fromJson<readonly { readonly event: NamingEvent }[]>(shortJson(entriesJson));
  return entries.flatMap(({ event }) =>
    NAMING_FIELDS.map((field) => event[field]).filter((id) => typeof id === "string"),
  );
}
