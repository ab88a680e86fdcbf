import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { repositoryRoot } from "./repository-root.ts";

/** A row of `docs/advisories.md`: a published advisory that names a package of the lockfile. */
export interface ListedAdvisory {
  readonly id: string;
  readonly packageName: string;
  /** A range such as `>=7.0.0 <7.29.0`, all of whose parts must match. */
  readonly affected: string;
  /**
   * `repaired`: no installed version is affected. `unreachable`: one is, and the page explains why that does no harm.
   */
  readonly state: "repaired" | "unreachable";
}

const ROW = /^\| (GHSA-[\w-]+) \| `([^`]+)` \| `([^`]+)` \| (repaired|unreachable) \|/;

/** Reads the table on the page. */
export function listedAdvisories(): readonly ListedAdvisory[] {
  const page = readFileSync(join(repositoryRoot, "docs/advisories.md"), "utf8");
  return page.split("\n").flatMap((line) => {
    const [, id, packageName, affected, state] = ROW.exec(line) ?? [];
    if (id === undefined || packageName === undefined || affected === undefined) return [];
    return [{ id, packageName, affected, state: state === "repaired" ? "repaired" : "unreachable" }];
  });
}

const lockfileSchema = z.object({ packages: z.record(z.string(), z.object({ version: z.string().optional() })) });

/** Returns every version of a package that `npm ci` installs. */
export function installedVersions(packageName: string): readonly string[] {
  const lockfile = lockfileSchema.parse(JSON.parse(readFileSync(join(repositoryRoot, "package-lock.json"), "utf8")));
  return Object.entries(lockfile.packages)
    .filter(([path]) => path.endsWith(`node_modules/${packageName}`))
    .flatMap(([, { version }]) => (version === undefined ? [] : [version]));
}

/** Checks whether a version is in a range of `<`, `<=`, `>` and `>=`. */
export function isAffected(version: string, range: string): boolean {
  return range.split(" ").every((part) => {
    const [, sign, bound = ""] = /^([<>]=?)(\d+\.\d+\.\d+)$/.exec(part) ?? [];
    const order = version.localeCompare(bound, "en", { numeric: true });
    if (sign === "<") return order < 0;
    if (sign === "<=") return order <= 0;
    if (sign === ">") return order > 0;
    if (sign === ">=") return order >= 0;
    throw new Error(`expected a range such as ">=1.0.0 <1.2.3", got "${range}"`);
  });
}

const reportSchema = z.object({
  vulnerabilities: z.record(
    z.string(),
    z.object({ via: z.array(z.union([z.string(), z.object({ url: z.string(), name: z.string() })])) }),
  ),
});

/** The result of an audit; `unanswered` if the registry does not support audits. */
export type AuditVerdict = { readonly unanswered: true } | { readonly unlisted: readonly string[] };

/**
 * Compares the output of `npm audit --json` with the page. An advisory that the page calls repaired must not be found.
 */
export function judgeAudit(output: string, listed: readonly ListedAdvisory[]): AuditVerdict {
  const report = reportSchema.safeParse(readJson(output));
  if (!report.success) return { unanswered: true };
  const unreachable = new Set(listed.filter(({ state }) => state === "unreachable").map(({ id }) => id));
  const found = Object.values(report.data.vulnerabilities).flatMap(({ via }) =>
    via.flatMap((one) => (typeof one === "string" ? [] : [{ id: one.url.split("/").at(-1) ?? one.url, ...one }])),
  );
  const unlisted = found.filter(({ id }) => !unreachable.has(id)).map(({ id, name }) => `${id} names ${name}`);
  return { unlisted: [...new Set(unlisted)] };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
