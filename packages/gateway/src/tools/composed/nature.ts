import type { ComposedToolDefinition, SideEffect } from "@yagate/protocol";
import { delegationsOf } from "./delegation.ts";
import { findTarget, type Targets } from "./target.ts";

/** What the calls of a composed tool are in the end. */
export interface Nature {
  readonly kind: "network" | "compute";
  /** As its author declares it, else what follows from what it does; undefined when nothing does. */
  readonly sideEffect: SideEffect | undefined;
  /** The tool whose primitive runs: itself, or the last one that it delegates to. */
  readonly last: ComposedToolDefinition;
}

/** @returns undefined for a tool that leads nowhere. */
export function natureOf(tool: ComposedToolDefinition, targets: Targets): Nature | undefined {
  const { names, isCircle } = delegationsOf(tool, targets);
  const last = names.length === 1 ? tool : targets.tools.get(names.at(-1) ?? "");
  const target = last && !isCircle ? findTarget(last.implementation.primitive, targets) : undefined;
  if (last === undefined || target === undefined || "tool" in target) return undefined;
  if ("builtin" in target) return { kind: "compute", sideEffect: tool.sideEffect ?? target.builtin.sideEffect, last };
  const isRead = target.primitive === "http_request" && last.implementation.args["method"] === "GET";
  return { kind: "network", sideEffect: tool.sideEffect ?? (isRead ? "read_only" : undefined), last };
}
