import type { CommandSpec } from "../frame/command-spec.ts";
import { GROUPS } from "./groups.ts";

const STATUSES = { 0: "SIGINT or SIGTERM stopped the gateway after all calls in flight had ended." };
const TIMEOUT = "--timeout limits only the start: the gateway must be listening within that time.";

export const dev: CommandSpec = {
  name: "dev",
  summary: "Start a gateway for development on this machine",
  group: GROUPS.common,
  arguments: [
    { name: "[file]", text: "configuration file (default: yagate.config.ts, .mts, .js or .mjs, if it exists)" },
  ],
  options: [
    { flags: "-p, --port <port>", text: "port to listen on (default: 4820, or the next free one)" },
    { flags: "-d, --data-dir <folder>", text: "directory for the gateway's data (default: ./.yagate)" },
    { flags: "--no-demo", text: "do not create or connect the demo agent" },
  ],
  examples: [
    "yagate dev",
    "yagate dev --port 4900 --data-dir ./data",
    "yagate dev --no-demo",
    "yagate dev config/yagate.config.ts",
  ],
  notes: [
    "The command creates the keys that a gateway needs, prints lines to export them, and allows tools on loopback addresses. Without YAGATE_API_KEY, it creates a new API key each time it starts. Without YAGATE_MASTER_KEYS, it keeps a key file in the data directory.",
    "The command prints a line for each step of an execution: model turns, attempts, results, failures with their cause, and approvals with the commands that approve or deny them. With --json, it prints each event as a JSON object.",
    "In a workspace without agents, the command creates an agent named Demo, whose handler runs in the same process, and executes it once. Its tools fail on purpose, so that the log shows a retry and a failure. On a terminal, press r to execute it again, f to show only failures and waits, or q to stop the gateway.",
    "A configuration file declares agents and tool sources, which the command updates whenever the file changes. Options take precedence over the environment, and the environment over the file.",
    "Executions are deleted 30 days after they end; YAGATE_EXECUTION_RETENTION_DAYS changes that. yagate serve deletes none unless this variable is set.",
    "On SIGINT or SIGTERM, the gateway waits for calls in flight, then stops. A second signal ends it immediately.",
    "All other settings come from the environment: yagate help environment lists the variables.",
    TIMEOUT,
  ],
  statuses: STATUSES,
  page: "yagate-dev",
  output: { schema: "GatewayProcess", isStream: true },
  keepsTimeout: true,
  handlesSignals: true,
  run: async ({ args: [file], open, options }) => (await import("../gateway/dev.ts")).dev(await open(), file, options),
};

export const serve: CommandSpec = {
  name: "serve",
  summary: "Start a gateway for production, configured by the environment",
  group: GROUPS.gateway,
  examples: [
    'export YAGATE_API_KEY="yk_$(openssl rand -hex 32)" YAGATE_MASTER_KEYS="k1:$(openssl rand -base64 32)"; yagate serve',
  ],
  notes: [
    "YAGATE_API_KEY and YAGATE_MASTER_KEYS must be set. Create each of them once, as in the example, and keep them where you keep your secrets.",
    "The command rejects weak keys, and a data directory that other users can read.",
    "On SIGINT or SIGTERM, the gateway waits for calls in flight, then stops. A second signal ends it immediately.",
    "yagate help environment lists all variables.",
    TIMEOUT,
  ],
  statuses: STATUSES,
  page: "running-the-gateway",
  output: { schema: "GatewayProcess", isStream: true },
  keepsTimeout: true,
  handlesSignals: true,
  run: async ({ open }) => (await import("../gateway/serve.ts")).serve(await open()),
};
