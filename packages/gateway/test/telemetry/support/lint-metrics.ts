import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import type { Family } from "../../../../telemetry/test/support/parse-metrics.ts";

type Rule = readonly [problem: string, isBroken: (name: string, family: Family) => boolean];

/** Units that are not the base unit of what they measure, and short forms of units. */
const OTHER_UNITS =
  /_(?:milliseconds?|microseconds?|nanoseconds?|minutes?|hours?|days?|kilobytes?|megabytes?|gigabytes?|bits?|percent|ms|us|ns|s|sec|secs|kb|mb|gb)(?:_|$)/;
const HAS_BUCKETS = new Set(["histogram", "summary"]);

/** The rules of Prometheus for names, as its own linter (`promtool check metrics`) has them. */
const RULES: readonly Rule[] = [
  ["a help text is missing", (_name, { help }) => help === ""],
  ["a counter ends in _total", (name, { type }) => type === "counter" && !name.endsWith("_total")],
  ["nothing but a counter ends in _total", (name, { type }) => type !== "counter" && name.endsWith("_total")],
  [
    "_bucket, _count and _sum are of histograms",
    (name, { type }) => !HAS_BUCKETS.has(type) && /_(?:bucket|count|sum)$/.test(name),
  ],
  ["a name says no type", (name, { type }) => name.split("_").includes(type)],
  ["a name is in snake case", (name) => !/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/.test(name)],
  ["a unit is a base unit, written out", (name) => OTHER_UNITS.test(name)],
  [
    "le and quantile are labels of histograms and summaries",
    (_name, { type, samples }) =>
      !HAS_BUCKETS.has(type) && samples.some(({ labels }) => "le" in labels || "quantile" in labels),
  ],
];

/** What Prometheus' linter would say of these families; none of it: an empty list. */
export function lintMetrics(families: ReadonlyMap<string, Family>): readonly string[] {
  return [...families].flatMap(([name, family]) =>
    RULES.filter(([, isBroken]) => isBroken(name, family)).map(([problem]) => `${name}: ${problem}`),
  );
}

/** What `promtool` itself says; nothing where it is not installed. */
export async function askPromtool(exposition: string): Promise<readonly string[]> {
  const child = spawn("promtool", ["check", "metrics"], { stdio: ["pipe", "pipe", "pipe"] });
  const isMissing = new Promise<boolean>((resolve) => {
    child.once("error", () => resolve(true));
    child.once("spawn", () => resolve(false));
  });
  if (await isMissing) return [];
  child.stdin.end(exposition);
  const [out, problems] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return `${out}${problems}`.split("\n").filter((line) => line !== "");
}
