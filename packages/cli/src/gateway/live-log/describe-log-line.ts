import { parseJsonOrUndefined } from "@yagate/lib/json/parse-json";
import * as z from "zod";
import type { LogEntry } from "./log-entry.ts";

/** The levels of the gateway's logger, as numbers. */
const WARN = 40;

const lineSchema = z.looseObject({
  level: z.number(),
  time: z.number(),
  msg: z.string(),
  error: z.looseObject({ message: z.string() }).optional(),
});
/** Fields that mean nothing to the reader of a live log. */
const OMITTED: ReadonlySet<string> = new Set(["level", "time", "msg", "error", "pid", "hostname"]);

/** Describes a line of the gateway's own log; undefined if it is not a line of this log. */
export function describeLogLine(line: string): LogEntry | undefined {
  const { data } = lineSchema.safeParse(parseJsonOrUndefined(line));
  if (data === undefined) return undefined;
  const { level, time, msg, error } = data;
  const fields = Object.entries(data).filter(([name]) => !OMITTED.has(name));
  const shown = fields.map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`);
  const text = [error === undefined ? msg : `${msg}: ${error.message}`, ...shown].join(" ");
  return {
    at: new Date(time).toISOString(),
    id: "gateway",
    kind: level >= WARN ? "failed" : "step",
    text,
    details: [],
  };
}
