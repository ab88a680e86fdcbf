import type { core } from "zod";

/** One wrong field of a call's parameters. */
export interface ParameterFault {
  /** Such as `items[0].sku`; empty for the parameters as a whole. */
  readonly path: string;
  readonly code: string;
  /** What was expected, without the value that came. */
  readonly message: string;
}

/**
 * Names what a Zod schema finds wrong, all of it. Unlike the gateway's own reading of issues it does not look into
 * unions for the closest alternative: the gateway has validated the parameters, and this kit is counted in bytes.
 */
export function toParameterFaults(issues: readonly core.$ZodIssue[]): readonly ParameterFault[] {
  return issues.flatMap((issue): ParameterFault[] => {
    const { code, path, message } = issue;
    if (code !== "unrecognized_keys") return [{ path: toText(path), code, message }];
    return issue.keys.map((key) => ({ path: toText([...path, key]), code, message: "unknown field" }));
  });
}

function toText(path: readonly PropertyKey[]): string {
  return path
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("")
    .replace(/^\./, "");
}
