import { randomBytes } from "node:crypto";
import { completeConfig, configFromEnvironment, createGateway, DEFAULT_PORT, variableOf } from "@yagate/gateway";
import { YagateError } from "@yagate/protocol";
import { freePort } from "./free-port.ts";
import { untilSignal } from "./until-signal.ts";

const LOOPBACK = ["127.0.0.0/8", "::1/128"];

/** Runs a gateway for one developer on one machine until it is told to stop. */
export async function dev(options: { readonly port?: string; readonly dataDir?: string }): Promise<void> {
  const settings = {
    allowCidrs: LOOPBACK,
    apiKey: `yk_${randomBytes(32).toString("base64url")}`,
    ...configFromEnvironment(process.env),
    ...(options.port === undefined ? {} : { port: toPort(options.port) }),
    ...(options.dataDir === undefined ? {} : { dataDir: options.dataDir }),
  };
  const config = completeConfig(settings, variableOf);
  // A port that was asked for is somebody's address: taking another one in silence would be worse than failing.
  const port = "port" in settings ? config.port : await freePort(config.host, DEFAULT_PORT, console.log);
  const gateway = createGateway({ ...config, port });
  const { url } = await gateway.start();
  const signingSecret = await gateway.revealSigningSecret();
  console.log(`
Yagate listens on ${url}   (data in ${config.dataDir}, tools allowed on ${config.allowCidrs.join(", ") || "public addresses"})

  export YAGATE_BASE_URL=${url}
  export YAGATE_API_KEY=${config.apiKey}
  export YAGATE_SIGNING_SECRET=${signingSecret}

The client reads the first two; give the third to your handlers. Try it:

  curl -s ${url}/v1/agents -H "Authorization: Bearer $YAGATE_API_KEY" -H 'Content-Type: application/json' \\
    -d '{ "name": "Calculator", "model": "scripted/keyword", "tools": [{ "builtin": "calculator" }] }'

Ctrl+C stops it.`);
  await untilSignal(gateway);
}

function toPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new YagateError("INVALID_REQUEST", "--port: expected a number from 0 to 65535", {
    hint: "leave --port out to take the next free one",
  });
}
