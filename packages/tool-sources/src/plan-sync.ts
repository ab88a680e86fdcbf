import type { OnChange } from "@yagate/protocol";
import { compileTool } from "./compile-tool.ts";
import { declaredOptions } from "./declared-options.ts";
import { createNameFilter, type NamePatterns } from "./name-patterns.ts";
import type { CompileSettings, KnownTool, RawTool, ToolDefinitionVersion } from "./port.ts";
import { isLaxer } from "./strictness.ts";

/** The rules by which a sync accepts or holds tools. */
export interface SyncRules {
  readonly onChange: OnChange;
  /** Whether every tool that is not known yet is accepted, whatever `onChange` says. */
  readonly acceptsNew: boolean;
  /** Whether new tools are held even with `onChange: "accept"`, because an agent lists all tools of the source. */
  readonly holdsNew: boolean;
  /** Names of the tools whose acceptance a person revoked. They are held even if their source takes them off meanwhile. */
  readonly revoked: ReadonlySet<string>;
  /** Whether changes that make a tool laxer are held even with `onChange: "accept"`. */
  readonly holdsLaxer: boolean;
}

/**
 * Compares what a source publishes with what is known.
 *
 * @param published - the definitions of {@link compilePublished}.
 * @returns the new state of every tool that changed.
 */
export function planSync(
  known: readonly KnownTool[],
  published: readonly ToolDefinitionVersion[],
  rules: SyncRules,
): readonly KnownTool[] {
  const before = new Map(known.map((tool) => [tool.name, tool]));
  const current = new Map(published.map((version) => [version.raw.name, version]));
  const names = new Set([...before.keys(), ...current.keys()]);
  return [...names].flatMap((name) => {
    const tool = before.get(name);
    const next = nextState(name, tool, current.get(name) ?? null, rules);
    return tool !== undefined && isSameState(tool, next) ? [] : [next];
  });
}

/** Compiles the published tools that a source takes. @throws YagateError `PAYLOAD_INVALID`. */
export function compilePublished(
  raws: readonly RawTool[],
  settings: CompileSettings & NamePatterns,
): readonly ToolDefinitionVersion[] {
  const isTaken = createNameFilter(settings);
  return raws.filter(({ name }) => isTaken(name)).map((raw) => compileTool(raw, settings));
}

function nextState(
  name: string,
  tool: KnownTool | undefined,
  published: ToolDefinitionVersion | null,
  { onChange, acceptsNew, holdsNew, holdsLaxer, revoked }: SyncRules,
): KnownTool {
  if (tool === undefined) {
    const isAccepted = acceptsNew || (onChange === "accept" && !holdsNew && !revoked.has(name));
    return { name, published, accepted: isAccepted ? published : null };
  }
  const { accepted } = tool;
  if (published === null || accepted === null || onChange !== "accept") return { name, published, accepted };
  const before = declaredOptions(accepted.compiled.definition);
  const isHeld = holdsLaxer && isLaxer(before, declaredOptions(published.compiled.definition));
  return { name, published, accepted: isHeld ? accepted : published };
}

/** Whether two states of a tool have the same definitions. */
export function isSameState(left: KnownTool, right: KnownTool): boolean {
  return left.published?.hash === right.published?.hash && left.accepted?.hash === right.accepted?.hash;
}
