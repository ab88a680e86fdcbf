import { parseJsonOrUndefined } from "@yagate/lib/json/parse-json";
import * as z from "zod";
import { MOVE_SETTING } from "./tables.ts";

/** How far a copy is. It is stored in the target, in the same transaction as the rows that were copied last. */
export const moveRecordSchema = z.object({
  /** Identifies the source. */
  source: z.string(),
  /** The hash of the source's file. */
  state: z.string(),
  phase: z.enum(["copying", "copied", "finished"]),
  /** The table that is being copied. */
  table: z.string(),
  /** The key of the last row that was copied; null at the start of a table. */
  after: z
    .array(z.union([z.string(), z.number(), z.null()]))
    .readonly()
    .nullable(),
});
export type MoveRecord = z.output<typeof moveRecordSchema>;

/** Parses the setting; undefined if it is not one. */
export function parseMoveRecord(text: string | undefined): MoveRecord | undefined {
  return text === undefined ? undefined : moveRecordSchema.safeParse(parseJsonOrUndefined(text)).data;
}

/** The query for the setting. */
export const FIND_MOVE = `SELECT value FROM settings WHERE name = '${MOVE_SETTING}'`;
