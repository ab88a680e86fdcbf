import { randomBytes } from "node:crypto";
import { type CompleteConfig, configFromEnvironment, createGateway, type EnvironmentOptions } from "@yagate/gateway";
import { defined } from "@yagate/lib/objects/defined";
import type { Invocation } from "../frame/invocation.ts";
import { dataPlace } from "./data-place.ts";
import { freePort } from "./free-port.ts";
import { listeningPlace } from "./listening-place.ts";
import { runUntilSignal } from "./run-until-signal.ts";
import { startTracing } from "./tracing/start-tracing.ts";

/** A development gateway keeps only recent executions; `serve` deletes none unless configured to. */
const RETENTION_DAYS = 30;

const LOOPBACK = ["127.0.0.0/8", "::1/128"];

/** Runs a development gateway until a signal stops it. */
export async function dev(invocation: Invocation, options: NonNullable<EnvironmentOptions["options"]>): Promise<void> {
  const { output } = invocation;
  const config = configFromEnvironment(process.env, {
    defaults: {
      allowCidrs: LOOPBACK,
      apiKey: `yk_${randomBytes(32).toString("base64url")}`,
      // A single developer has one key. Every approval with that key says so.
      allowSelfApproval: true,
      executionRetentionDays: RETENTION_DAYS,
    },
    options,
  });
  // Elsewhere, the port may have been set deliberately, so failing is better than using another one.
  const isAskedFor = (options["port"] ?? process.env["YAGATE_PORT"] ?? "") !== "";
  const port = isAskedFor ? config.port : await freePort(config.host, config.port, (text) => output.note(text));
  const tracing = await startTracing(process.env, (text) => console.error(`warning: ${text}`));
  const { tracerProvider } = tracing ?? {};
  const gateway = createGateway({ ...config, port, ...defined({ tracerProvider }) });
  await runUntilSignal(gateway, invocation, async (url) => {
    const signingSecret = await gateway.revealSigningSecret();
    const { apiKey } = config;
    output.line({ type: "listening", url, data: dataPlace(config), apiKey, signingSecret }, () =>
      introduction(url, config, signingSecret),
    );
  });
  await tracing?.shutdown();
}

function introduction(url: string, config: CompleteConfig, signingSecret: string): string {
  const { allowCidrs, apiKey, host, executionRetentionDays } = config;
  const retention =
    executionRetentionDays === undefined
      ? ""
      : `\nExecutions are deleted ${executionRetentionDays} days after they end; YAGATE_EXECUTION_RETENTION_DAYS changes that.\n`;
  return `
Yagate listens on ${listeningPlace(url, host)}   (data in ${dataPlace(config)}, tools allowed on ${allowCidrs.join(", ") || "public addresses"})
${retention}
  export YAGATE_BASE_URL=${url}
  export YAGATE_API_KEY=${apiKey}
  export YAGATE_SIGNING_SECRET=${signingSecret}

The client reads the first two; give the third to your handlers. Try it:

  curl -s $YAGATE_BASE_URL/v1/agents -H "Authorization: Bearer $YAGATE_API_KEY" -H 'Content-Type: application/json' \\
    -d '{ "name": "Calculator", "model": "scripted/keyword", "tools": [{ "builtin": "calculator" }] }'

Ctrl+C stops it.`;
}
