import { type SideEffect, sideEffectSchema, YagateError } from "@yagate/protocol";

/** The side effects that a person sets when accepting tools, instead of the declared ones. */
export interface SideEffects {
  of(tool: string): SideEffect | undefined;
  /** @throws YagateError `INVALID_REQUEST` if an effect is set for a tool that is not among these. */
  requireTools(tools: readonly { readonly name: string }[]): void;
}

/**
 * Reads the values of `--side-effect`: an effect for all tools, or `<tool>=<effect>`.
 *
 * @throws YagateError `INVALID_REQUEST` for unknown effects.
 */
export function readSideEffects(values: readonly string[] = []): SideEffects {
  const byTool = new Map<string | undefined, SideEffect>(values.map(toEntry));
  return {
    of: (tool) => byTool.get(tool) ?? byTool.get(undefined),
    requireTools(tools) {
      for (const tool of byTool.keys()) {
        if (tool === undefined || tools.some(({ name }) => name === tool)) continue;
        throw new YagateError("INVALID_REQUEST", `--side-effect: ${tool} is not among the tools to accept`);
      }
    },
  };
}

function toEntry(value: string): readonly [tool: string | undefined, effect: SideEffect] {
  const separator = value.lastIndexOf("=");
  const effect = sideEffectSchema.safeParse(value.slice(separator + 1));
  if (effect.success) return [separator === -1 ? undefined : value.slice(0, separator), effect.data];
  const message = `expected --side-effect to be one of ${sideEffectSchema.options.join(", ")}, or <tool>=<effect>`;
  throw new YagateError("INVALID_REQUEST", message);
}
