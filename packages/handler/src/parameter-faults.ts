import type { core } from "zod";

/** One invalid field in a call's arguments. */
export interface ParameterFault {
  /** A path such as `items[0].sku`; empty if the fault concerns all arguments together. */
  readonly path: string;
  /** Zod's code in upper case, such as `INVALID_TYPE`. */
  readonly code: string;
  /** What was expected, without the actual value. */
  readonly message: string;
}

/**
 * Lists all faults that a Zod schema found. Unlike the gateway, it does not search unions for the closest alternative,
 * because the gateway has already validated the arguments and the kit should stay small.
 */
export function toParameterFaults(issues: readonly core.$ZodIssue[]): readonly ParameterFault[] {
  return issues.flatMap((issue): ParameterFault[] => {
    const { path, message } = issue;
    const code = issue.code.toUpperCase();
    if (issue.code !== "unrecognized_keys") return [{ path: toText(path), code, message }];
    return issue.keys.map((key) => ({ path: toText([...path, key]), code, message: "unknown field" }));
  });
}

function toText(path: readonly PropertyKey[]): string {
  return path
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("")
    .replace(/^\./, "");
}
