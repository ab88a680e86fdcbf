import type { ModuleGraph } from "../module-graph.ts";

interface RoomRule {
  readonly imports: readonly string[];
  /** Rooms of which it may know the types, but run nothing. */
  readonly typesOf?: readonly string[];
}

/**
 * Which folder of the gateway may import which, and which of the packages below it: requests walk down this table,
 * nothing walks up. A file beside the folders is a module of its own, by its name. `compose` wires them and may import all.
 */
export const ROOM_RULES: Readonly<Record<string, RoomRule>> = {
  gateway: { imports: ["compose", "config", "http", "store"] },
  index: { imports: ["gateway", "config", "models", "backup", "telemetry"] },
  // Beside the modules: it copies the files of two of them while another process uses them.
  backup: { imports: ["config", "store", "secrets"] },
  http: {
    imports: [
      ...["agents", "workspace-tools", "executions", "receipts", "scheduler", "models", "tools", "tool-definitions"],
      ...["store", "secrets", "telemetry", "config", "errors"],
    ],
  },
  "workspace-tools": {
    imports: ["agents", "executions", "tools", "tool-definitions", "store", "secrets", "telemetry", "errors"],
  },
  agents: { imports: ["executions", "tools", "tool-definitions", "store", "errors"] },
  executions: {
    imports: [
      ...["scheduler", "models", "tools", "tool-definitions", "policy", "projection", "store", "telemetry", "builtins"],
      "calls",
    ],
  },
  receipts: { imports: ["telemetry"], typesOf: ["store", "secrets"] },
  tools: {
    imports: [
      ...[
        "webhooks",
        "calls",
        "policy",
        "projection",
        "tool-definitions",
        "builtins",
        "egress",
        "secrets",
        "telemetry",
      ],
    ],
    typesOf: ["store"],
  },
  scheduler: { imports: ["telemetry"], typesOf: ["store"] },
  webhooks: { imports: ["calls", "egress", "secrets", "telemetry"], typesOf: ["store"] },
  // What signed webhooks and HTTP tools send through. The tools that ask a model name its question in their types.
  calls: { imports: ["egress"], typesOf: ["builtins"] },
  policy: { imports: ["telemetry"], typesOf: ["store"] },
  projection: { imports: [] },
  secrets: { imports: ["telemetry"], typesOf: ["store"] },
  // It reads the modules' settings; only the modules above them read it.
  config: { imports: ["models", "builtins", "secrets"] },
  telemetry: { imports: [] },
  // What a request is refused with, for the services that several routes call.
  errors: { imports: ["store"] },
  // The name that the egress package had before it was one.
  egress: { imports: [] },
  "package-version": { imports: [] },
};

const WIRING = "compose";
const SOURCES = "packages/gateway/src/";
const MACHINE = `${SOURCES}executions/machine`;
/** What a call comes to: the machine decides by it. */
const CALL_TYPES = `${SOURCES}calls/port.ts`;

/** What breaks the rules, one line each. */
export function roomViolations(graph: ModuleGraph, rules = ROOM_RULES): readonly string[] {
  return [...graph].flatMap(([file, imports]) => {
    const room = file.startsWith(SOURCES) ? roomOf(file) : undefined;
    if (room === undefined || room === WIRING) return [];
    const rule = rules[room];
    if (rule === undefined) return [`${file}: the room "${room}" has no rule`];
    return imports
      .filter(({ to, isTypeOnly }) => {
        const target = roomOf(to);
        if (target === undefined || target === room || rule.imports.includes(target)) return false;
        return !(isTypeOnly && rule.typesOf?.includes(target));
      })
      .map(({ to }) => `${file} imports ${to}`);
  });
}

/** Building blocks that are pure functions of texts and objects. */
const PURE_BLOCKS = ["packages/lib/src/json/", "packages/lib/src/objects/", "packages/lib/src/text/"];

/** What the state machine imports beyond itself, the protocol pure blocks and the types of a call: no clock, file or network. */
export function machineViolations(graph: ModuleGraph): readonly string[] {
  const allowed = [MACHINE, "packages/protocol/", ...PURE_BLOCKS];
  const isOwn = (to: string) => allowed.some((folder) => to.startsWith(folder));
  const isCallType = (to: string, isTypeOnly: boolean) => isTypeOnly && to === CALL_TYPES;
  return [...graph]
    .filter(([file]) => file.startsWith(MACHINE))
    .flatMap(([file, imports]) =>
      imports
        .filter(({ to, isTypeOnly }) => !isOwn(to) && !isCallType(to, isTypeOnly))
        .map(({ to }) => `${file} imports ${to}`),
    );
}

/** The folder of the gateway that a file is in, or the package below the gateway; every room may import lib. */
function roomOf(path: string): string | undefined {
  if (path.startsWith(SOURCES)) return path.slice(SOURCES.length).split("/")[0]?.replace(/\.ts$/, "");
  return /^packages\/(egress|store|models|builtins|tool-definitions)\//.exec(path)?.[1];
}
