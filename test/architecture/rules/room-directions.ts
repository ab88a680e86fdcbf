import type { ModuleGraph } from "../module-graph.ts";

interface RoomRule {
  readonly imports: readonly string[];
  /** Rooms of which it may know the types, but run nothing. */
  readonly typesOf?: readonly string[];
}

/**
 * Which folder of the gateway may import which, and which of the packages below it: requests walk down this table,
 * nothing walks up. A file beside the folders is a room of its own, by its name. `rooms` wires them and may import all.
 */
export const ROOM_RULES: Readonly<Record<string, RoomRule>> = {
  gateway: { imports: ["rooms", "config", "http", "store"] },
  index: { imports: ["gateway", "config", "models", "backup", "telemetry"] },
  // Beside the rooms: it copies the files of two of them while another process has them.
  backup: { imports: ["config", "store", "secrets"] },
  http: {
    imports: ["execution", "receipts", "scheduler", "models", "tools", "store", "secrets", "telemetry", "config"],
  },
  execution: { imports: ["scheduler", "models", "tools", "policy", "projection", "store", "telemetry", "builtins"] },
  receipts: { imports: ["telemetry"], typesOf: ["store", "secrets"] },
  tools: {
    imports: ["dispatch", "policy", "projection", "builtins", "egress", "secrets", "telemetry"],
    typesOf: ["store"],
  },
  scheduler: { imports: ["telemetry"], typesOf: ["store"] },
  dispatch: { imports: ["egress", "secrets", "telemetry"], typesOf: ["store"] },
  policy: { imports: ["telemetry"], typesOf: ["store"] },
  projection: { imports: [] },
  secrets: { imports: ["telemetry"], typesOf: ["store"] },
  // It reads the rooms' settings; no room reads it, but what stands above them all.
  config: { imports: ["models", "builtins", "secrets"] },
  telemetry: { imports: [] },
  // The name that the egress package had before it was one.
  egress: { imports: [] },
  "package-version": { imports: [] },
};

const WIRING = "rooms";
const SOURCES = "packages/gateway/src/";
const MACHINE = `${SOURCES}execution/machine`;

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

/** What the state machine imports beyond itself, the protocol and pure blocks: no clock, file or network. */
export function machineViolations(graph: ModuleGraph): readonly string[] {
  const allowed = [MACHINE, "packages/protocol/", ...PURE_BLOCKS];
  const isOwn = (to: string) => allowed.some((folder) => to.startsWith(folder));
  return [...graph]
    .filter(([file]) => file.startsWith(MACHINE))
    .flatMap(([file, imports]) => imports.filter(({ to }) => !isOwn(to)).map(({ to }) => `${file} imports ${to}`));
}

/** The folder of the gateway that a file is in, or the package below the gateway; every room may import lib. */
function roomOf(path: string): string | undefined {
  if (path.startsWith(SOURCES)) return path.slice(SOURCES.length).split("/")[0]?.replace(/\.ts$/, "");
  return /^packages\/(egress|store|models|builtins)\//.exec(path)?.[1];
}
