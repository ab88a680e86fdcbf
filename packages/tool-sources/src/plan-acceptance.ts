import { canonicalJson, type SideEffect, type ToolSourceOptions } from "@yagate/protocol";
import { compileTool } from "./compile-tool.ts";
import { createNameFilter, type NamePatterns } from "./name-patterns.ts";
import { isSameState } from "./plan-sync.ts";
import type { CompileSettings, KnownTool, ToolDefinitionVersion, ToolsChange } from "./port.ts";

/** A definition that a person reviewed. */
export interface Acceptance {
  readonly name: string;
  readonly hash: string;
  /** Replaces the side effect that the source declares. */
  readonly sideEffect?: SideEffect | undefined;
}

/** The outcome of an acceptance: the change to make, or the tools whose published definition is another one. */
export type PlannedAcceptance =
  | {
      readonly change: ToolsChange;
      /** The new overrides; absent if they stay the same. */
      readonly overrides?: Record<string, ToolSourceOptions>;
    }
  | { readonly moved: readonly number[] };

/**
 * Accepts definitions, all or none of them. A side effect becomes an override of the tool, so that its definition and
 * hash contain it.
 *
 * @returns the indexes in `acceptances` of tools that no longer have the reviewed definition, if there are any.
 */
export function planAcceptance(
  known: readonly KnownTool[],
  acceptances: readonly Acceptance[],
  settings: CompileSettings,
): PlannedAcceptance {
  const tools = new Map(known.map((tool) => [tool.name, tool]));
  const moved = acceptances.flatMap(({ name, hash }, index) =>
    tools.get(name)?.published?.hash === hash ? [] : index,
  );
  if (moved.length > 0) return { moved };
  const declared = acceptances.flatMap(({ name, sideEffect }) => {
    return sideEffect === undefined ? [] : [[name, { ...settings.overrides[name], sideEffect }] as const];
  });
  const overrides = { ...settings.overrides, ...Object.fromEntries(declared) };
  const changed = acceptances.flatMap(({ name }) => {
    const published = tools.get(name)?.published ?? null;
    if (published === null) return [];
    const version = compileTool(published.raw, { ...settings, overrides });
    return [{ name, published: version, accepted: version }];
  });
  return { change: { tools: changed, withdrawn: [] }, ...(declared.length === 0 ? {} : { overrides }) };
}

/**
 * Withdraws the acceptance of tools, even for executions that have started.
 *
 * @param names - default: all tools.
 */
export function planRevocation(known: readonly KnownTool[], names?: readonly string[]): ToolsChange {
  const wanted = names === undefined ? undefined : new Set(names);
  const tools = known.filter(({ name }) => wanted?.has(name) ?? true);
  const revoked = tools.map(({ name }) => name);
  return {
    tools: tools.filter(({ accepted }) => accepted !== null).map((tool) => ({ ...tool, accepted: null })),
    ...{ withdrawn: revoked, revoked },
  };
}

/**
 * Applies new settings to all definitions. Accepted tools stay accepted, because a person of the workspace changed the
 * settings, unless the URL or the identity under which it is read changed: then all are held, even in executions that
 * have started.
 */
export function planSettings(
  known: readonly KnownTool[],
  before: CompileSettings,
  after: CompileSettings & NamePatterns,
): ToolsChange {
  const isTaken = createNameFilter(after);
  const compile = (version: ToolDefinitionVersion | null) =>
    version === null ? null : compileTool(version.raw, after);
  const isMoved = placeOf(before) !== placeOf(after);
  const tools = known.map((tool) => ({
    name: tool.name,
    published: isTaken(tool.name) ? compile(tool.published) : null,
    accepted: isMoved ? null : compile(tool.accepted),
  }));
  return {
    tools: tools.filter((tool, index) => !isSameState(tool, known[index] ?? tool)),
    withdrawn: isMoved ? known.map(({ name }) => name) : [],
  };
}

/** Returns what identifies the service behind a source: its URL and, unless it is a handler, the gateway's identity there. */
function placeOf(settings: CompileSettings): string {
  const { url } = settings;
  return canonicalJson({ url, auth: settings.kind === "handler" ? null : settings.auth });
}
