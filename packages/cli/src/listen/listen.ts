import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { isSigningSecret, type JsonValue, YagateError } from "@yagate/protocol";
import { commandName } from "../command-name.ts";
import { durationOf } from "../duration.ts";
import type { Invocation } from "../frame/invocation.ts";
import { freePort } from "../gateway/free-port.ts";
import { handlerUrlOf } from "../signed-calls/handler-url.ts";
import { readSecrets } from "../signing-secrets/read-secrets.ts";
import type { SecretSources } from "../signing-secrets/secret-sources.ts";
import { wholeNumberOf } from "../whole-number.ts";
import { answerCall } from "./answer-call.ts";
import { describeReceived } from "./describe-received.ts";
import { failurePattern } from "./failure-pattern.ts";

const HOST = "127.0.0.1";
const FIRST_PORT = 4_830;

export interface ListenOptions extends SecretSources {
  readonly port?: string;
  readonly forwardTo?: string;
  readonly allowRemote?: boolean;
  readonly respond?: string;
  readonly fail?: string;
  readonly delay?: string;
}

/**
 * Receives tool calls on the loopback interface until a signal or `--timeout` ends the process.
 *
 * @throws YagateError `INVALID_REQUEST` for an invalid option, `FORBIDDEN` for another machine, `CONFLICT` if the port is
 *   in use.
 */
export async function listen(invocation: Invocation, options: ListenOptions): Promise<void> {
  const { output } = invocation;
  const { forwardTo, allowRemote, respond, fail, delay } = options;
  if (forwardTo !== undefined && respond !== undefined) {
    throw new YagateError("INVALID_REQUEST", "expected either --forward-to or --respond, but got both");
  }
  const answering = {
    forwardTo: forwardTo === undefined ? undefined : handlerUrlOf(forwardTo, "--forward-to", allowRemote),
    result: respond === undefined ? { received: true } : resultOf(respond),
    failsNext: failurePattern(fail),
    delayMs: delay === undefined ? 0 : durationOf(delay, "--delay"),
  };
  const secrets = await readSecrets(options, { terminal: invocation.terminal(), env: process.env });
  const malformed = secrets.find(({ value }) => !isSigningSecret(value));
  if (malformed !== undefined) {
    throw new YagateError("NOT_CONFIGURED", `${malformed.name} does not contain a signing secret`, {
      hint: `a signing secret is whsec_ and base64; ${commandName()} dev prints one`,
    });
  }
  const server = createServer((request, response) => {
    const answered = answerCall(request, response, { ...answering, secrets });
    answered.then(
      (received) => output.line(received, () => describeReceived(received)),
      (error: unknown) => {
        output.note(`A request got no response: ${error instanceof Error ? error.message : String(error)}.`);
        response.destroy();
      },
    );
  });
  const port = options.port === undefined ? await freePort(HOST, FIRST_PORT, (text) => output.note(text)) : undefined;
  server.listen(port ?? wholeNumberOf(options.port ?? "", "--port", { min: 0, max: 65_535 }), HOST);
  await once(server, "listening").catch((cause) => {
    throw new YagateError("CONFLICT", `expected port ${options.port} of ${HOST} to be free`, {
      hint: "choose another --port, or omit it",
      cause,
    });
  });
  const { port: used } = server.address() as AddressInfo;
  const target = forwardTo === undefined ? "" : `, forwards to ${answering.forwardTo?.href}`;
  output.note(`Listens on http://${HOST}:${used}${target}. Ctrl+C stops it.`);
  await once(server, "close");
}

function resultOf(text: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch {
    throw new YagateError("INVALID_REQUEST", "expected --respond to be JSON", {
      hint: `in a shell, put it in quotes: --respond '{"status":"shipped"}'`,
    });
  }
}
