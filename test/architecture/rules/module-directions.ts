import type { ModuleGraph } from "../module-graph.ts";

interface ModuleRule {
  readonly imports: readonly string[];
  /** Modules whose types it may name, without running anything of them. */
  readonly typesOf?: readonly string[];
}

/**
 * Which folder of the gateway may import which, and which of the packages below it: exactly what they import. Requests
 * walk down this table, nothing walks up. A file beside the folders is a module of its own, by its name. `compose`
 * wires them and may import all.
 */
export const MODULE_RULES: Readonly<Record<string, ModuleRule>> = {
  gateway: { imports: ["compose", "config", "http", "store"] },
  index: { imports: ["gateway", "config", "models", "backup", "migrate-store", "telemetry"] },
  // Beside the modules: it copies the files of two of them while another process uses them.
  backup: { imports: ["config", "store", "secrets"] },
  "migrate-store": { imports: ["config", "receipts", "secrets", "store"] },
  http: {
    imports: [
      "agents",
      "workspace-tools",
      "executions",
      "receipts",
      "mcp-oauth",
      "console",
      "store",
      "secrets",
      "telemetry",
      "api-texts",
      "errors",
    ],
    typesOf: [
      ...["config", "scheduler", "tools", "tool-definitions", "models", "tool-sources", "exposed-agents", "mcp"],
      ...["capabilities", "read-models"],
    ],
  },
  // What can serve the intents of agents.
  capabilities: {
    imports: ["tools", "tool-definitions", "routing", "builtins", "errors"],
    typesOf: ["tool-sources", "store"],
  },
  "tool-sources": {
    imports: [
      "calls",
      "tools",
      "tool-definitions",
      "tool-source-rules",
      "tool-search",
      "mcp",
      "egress",
      "secrets",
      "errors",
    ],
    typesOf: ["mcp-calls", "mcp-oauth", "store", "config", "execution-machine"],
  },
  // The access tokens with which MCP hosts come.
  "mcp-access": { imports: [], typesOf: ["secrets", "store"] },
  // The tokens of requests to MCP servers, and how people sign in to them.
  "mcp-oauth": { imports: ["mcp", "errors", "secrets"], typesOf: ["store"] },
  // Agents as tools of MCP hosts.
  "exposed-agents": { imports: ["agents", "executions", "errors", "store"], typesOf: ["mcp"] },
  "workspace-tools": { imports: ["agents", "tools", "tool-definitions", "errors"], typesOf: ["executions", "store"] },
  agents: { imports: ["executions", "errors", "store"] },
  executions: {
    imports: [
      "execution-machine",
      "scheduler",
      "models",
      "tools",
      "tool-definitions",
      "tool-search",
      "projection",
      "store",
      "routing",
      "builtins",
      "errors",
    ],
    typesOf: ["calls", "capabilities", "secrets"],
  },
  tools: {
    imports: [
      ...["calls", "mcp-calls", "policy", "tool-definitions", "tool-search", "builtins", "egress", "secrets"],
      ...["routing", "execution-machine"],
    ],
    typesOf: ["webhooks", "tool-source-rules", "store"],
  },
  scheduler: { imports: [], typesOf: ["store"] },
  // Calls of the tools of MCP servers.
  "mcp-calls": {
    imports: ["calls", "mcp", "mcp-oauth", "egress", "secrets"],
    typesOf: ["builtins", "policy", "store", "execution-machine"],
  },
  // Browsers that are signed in to the console, and its files.
  console: { imports: [], typesOf: ["secrets", "store"] },
  policy: { imports: [], typesOf: ["store"] },
  projection: { imports: [] },
  // It reads the modules' settings; only the modules above them read it.
  config: { imports: ["models", "builtins", "secrets"] },
  // With what services refuse a request.
  errors: { imports: [] },
  // The name that the egress package had before it was one.
  egress: { imports: [] },
  "package-version": { imports: [] },
};

const WIRING = "compose";
const SOURCES = "packages/gateway/src/";
const MACHINE = "packages/execution-machine/src/";

/** What breaks the rules, one line each. */
export function moduleViolations(graph: ModuleGraph, rules = MODULE_RULES): readonly string[] {
  return [...graph].flatMap(([file, imports]) => {
    const module = file.startsWith(SOURCES) ? moduleOf(file) : undefined;
    if (module === undefined || module === WIRING) return [];
    const rule = rules[module];
    if (rule === undefined) return [`${file}: the module "${module}" has no rule`];
    return imports
      .filter(({ to, isTypeOnly }) => {
        const target = moduleOf(to);
        if (target === undefined || target === module || rule.imports.includes(target)) return false;
        return !(isTypeOnly && rule.typesOf?.includes(target));
      })
      .map(({ to }) => `${file} imports ${to}`);
  });
}

/** Building blocks that are pure functions of texts and objects. */
const PURE_BLOCKS = [
  ...["packages/lib/src/json/", "packages/lib/src/objects/", "packages/lib/src/text/"],
  "packages/lib/src/artifacts/artifact-id.ts",
];

/** What the state machine imports beyond itself, the protocol and pure blocks: no clock, file or network. */
export function machineViolations(graph: ModuleGraph): readonly string[] {
  const allowed = [MACHINE, "packages/protocol/", ...PURE_BLOCKS];
  return [...graph]
    .filter(([file]) => file.startsWith(MACHINE))
    .flatMap(([file, imports]) =>
      imports
        .filter(({ to }) => !allowed.some((folder) => to.startsWith(folder)))
        .map(({ to }) => `${file} imports ${to}`),
    );
}

/** Every module may import these. */
const BASE: ReadonlySet<string> = new Set(["protocol", "lib"]);

/** The folder of the gateway that a file is in, or the package below the gateway. */
function moduleOf(path: string): string | undefined {
  if (path.startsWith(SOURCES)) return path.slice(SOURCES.length).split("/")[0]?.replace(/\.ts$/, "");
  const name = /^packages\/([^/]+)\//.exec(path)?.[1];
  if (name === undefined || BASE.has(name)) return undefined;
  // A module of the gateway has the same name.
  return name === "tool-sources" ? "tool-source-rules" : name;
}
