import { randomBytes } from "node:crypto";
import { Yagate } from "@yagate/client";
import {
  type CompleteConfig,
  configFromEnvironment,
  createGateway,
  type FailedRequest,
  type Gateway,
} from "@yagate/gateway";
import { defined } from "@yagate/lib/objects/defined";
import { toVisibleLine } from "@yagate/protocol";
import type { Invocation } from "../frame/invocation.ts";
import type { Output } from "../frame/output.ts";
import type { FollowedConfig, OpenedConfig } from "./configuration/followed-config.ts";
import { dataPlace } from "./data-place.ts";
import type { Demo } from "./demo/demo.ts";
import { freePort } from "./free-port.ts";
import { listeningPlace } from "./listening-place.ts";
import { onKeys } from "./live-log/key-commands.ts";
import { LiveLog } from "./live-log/live-log.ts";
import { runUntilSignal } from "./run-until-signal.ts";
import { startTracing } from "./tracing/start-tracing.ts";

/** A development gateway keeps only recent executions; `serve` deletes none unless configured to. */
const RETENTION_DAYS = 30;

/** Identifies the requests of this process. It is random, so that no other client sends it. */
const OWN_USER_AGENT = `yagate-dev/${randomBytes(8).toString("hex")}`;

const LOOPBACK = ["127.0.0.0/8", "::1/128"];

/** What `yagate dev` reads from its command line. */
export interface DevOptions {
  readonly port?: string;
  readonly dataDir?: string;
  /** Whether to keep a demo agent. Default: true. */
  readonly demo?: boolean;
}

/**
 * Runs a development gateway until a signal stops it, and prints what its executions do.
 *
 * @param file - the configuration file; undefined for the one in the current directory. Without a file, nothing is configured.
 * @throws YagateError `INVALID_REQUEST` if the configuration is not valid.
 */
export async function dev(
  invocation: Invocation,
  file: string | undefined,
  { demo: wantsDemo = true, ...options }: DevOptions,
): Promise<void> {
  const { output } = invocation;
  const configured = await readConfigured(file);
  const { port: configuredPort, dataDir, demo: keepsDemo = true } = configured?.settings ?? {};
  const config = configFromEnvironment(process.env, {
    defaults: {
      ...defined({ port: configuredPort, dataDir }),
      allowCidrs: LOOPBACK,
      apiKey: `yk_${randomBytes(32).toString("base64url")}`,
      // A single developer has one key. Every approval with that key says so.
      allowSelfApproval: true,
      developmentWorkspaces: ["default"],
      executionRetentionDays: RETENTION_DAYS,
      console: "auto",
    },
    options: { ...options },
  });
  // Elsewhere, the port may have been set deliberately, so failing is better than using another one.
  const isAskedFor = configuredPort !== undefined || (options.port ?? process.env["YAGATE_PORT"] ?? "") !== "";
  const port = isAskedFor ? config.port : await freePort(config.host, config.port, (text) => output.note(text));
  const tracing = await startTracing(process.env, (text) => console.error(`warning: ${text}`));
  const { tracerProvider } = tracing ?? {};
  const log = new LiveLog({
    output,
    agentNameOf: async (agentId) => (await clientOf(gateway.url, config).agents.get(agentId)).name,
  });
  const reports = {
    onEvent: log.add,
    development: {
      onToolSource: log.addSource,
      onFailedRequest: (request: FailedRequest) => {
        // What fails for this process is printed by the part that sent it.
        if (request.userAgent !== OWN_USER_AGENT) log.addRequest(request);
      },
      onLog: log.addLogLine,
    },
  };
  const gateway = createGateway({ ...config, port, ...reports, ...defined({ tracerProvider }) });
  let demo: Demo | undefined;
  let followed: FollowedConfig | undefined;
  let stopKeys = () => {};
  const introduce = async (url: string) => {
    const signingSecret = await gateway.revealSigningSecret();
    const { apiKey } = config;
    const consoleUrl = await gateway.createConsoleLink();
    const line = { type: "listening", url, data: dataPlace(config), apiKey, signingSecret, consoleUrl };
    output.line(line, () => introduction({ url, config, signingSecret, consoleUrl }));
    followed = await configured?.follow({
      client: clientOf(gateway.url, config),
      dataDir: config.dataDir,
      note: (text) => output.note(text),
      onSource: log.addSource,
    });
    if (wantsDemo && keepsDemo) demo = await openDemoOf(gateway, config, output);
    stopKeys = offerKeys(invocation, log, demo);
    if (demo?.isNew === true) await runDemo(demo, output);
  };
  try {
    await runUntilSignal(gateway, invocation, { config, command: "dev", introduce });
  } finally {
    stopKeys();
    // Also after a failure, because it ends processes.
    await followed?.stop();
  }
  demo?.stop();
  await log.printed;
  await tracing?.shutdown();
}

/** Reads the configuration file; undefined if the user names no file and the current directory has none. */
async function readConfigured(file: string | undefined): Promise<OpenedConfig | undefined> {
  const { findConfig } = await import("./configuration/find-config.ts");
  const path = findConfig(file);
  if (path === undefined) return undefined;
  const { openConfig } = await import("./configuration/followed-config.ts");
  return openConfig(path);
}

/** Opens the demo. The gateway works without it too, so a failure is only reported. */
async function openDemoOf(gateway: Gateway, config: CompleteConfig, output: Output): Promise<Demo | undefined> {
  try {
    const { openDemo } = await import("./demo/demo.ts");
    return await openDemo({
      client: clientOf(gateway.url, config),
      signingSecret: await gateway.revealSigningSecret(),
    });
  } catch (error) {
    output.note(`The demo agent is not available: ${messageOf(error)}`);
    return undefined;
  }
}

async function runDemo(demo: Demo, output: Output): Promise<void> {
  try {
    await demo.run();
  } catch (error) {
    output.note(`The demo agent cannot be executed: ${messageOf(error)}`);
  }
}

function messageOf(error: unknown): string {
  return toVisibleLine(error instanceof Error ? error.message : String(error));
}

/** Reads single keys from a terminal, and prints what they do. Returns a function that stops the reading. */
function offerKeys({ output, globals }: Invocation, log: LiveLog, demo: Demo | undefined): () => void {
  const isTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true;
  if (!isTerminal || output.isJson || globals.input === false) return () => {};
  output.note(`${demo === undefined ? "" : "r runs the demo agent, "}f switches to failures only, q quits.\n`);
  return onKeys(process.stdin, {
    ...(demo === undefined ? {} : { r: () => void runDemo(demo, output) }),
    f: () => output.note(log.toggleFailuresOnly() ? "Failures and waits only; f shows all." : "All lines."),
    q: () => void process.kill(process.pid, "SIGINT"),
  });
}

function clientOf(baseUrl: string, { apiKey = "" }: CompleteConfig): Yagate {
  return new Yagate({ baseUrl, apiKey, headers: { "User-Agent": OWN_USER_AGENT } });
}

interface Introduced {
  readonly url: string;
  readonly config: CompleteConfig;
  readonly signingSecret: string;
  readonly consoleUrl: string | undefined;
}

function introduction({ url, config, signingSecret, consoleUrl }: Introduced): string {
  const { allowCidrs, apiKey, host, executionRetentionDays } = config;
  const retention =
    executionRetentionDays === undefined
      ? ""
      : `\nExecutions are deleted ${executionRetentionDays} days after they end; YAGATE_EXECUTION_RETENTION_DAYS changes that.\n`;
  const consoleLines =
    consoleUrl === undefined
      ? ""
      : `\nSee executions in the console; this link signs one browser in, once, within 10 minutes:\n\n  ${consoleUrl}\n`;
  return `
Yagate listens on ${listeningPlace(url, host)}   (data in ${dataPlace(config)}, tools allowed on ${allowCidrs.join(", ") || "public addresses"})
${retention}${consoleLines}
  export YAGATE_BASE_URL=${url}
  export YAGATE_API_KEY=${apiKey}
  export YAGATE_SIGNING_SECRET=${signingSecret}

The client reads the first two; give the third to your handlers. Try it:

  curl -s $YAGATE_BASE_URL/v1/agents -H "Authorization: Bearer $YAGATE_API_KEY" -H 'Content-Type: application/json' \\
    -d '{ "name": "Calculator", "model": "scripted/keyword", "tools": [{ "builtin": "calculator" }] }'

Ctrl+C stops the gateway. Executions appear below.
`;
}
