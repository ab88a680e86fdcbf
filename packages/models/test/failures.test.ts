import { once } from "node:events";
import { createServer } from "node:http";
import { describe, expect, it } from "vitest";
import { EgressError } from "../../egress/src/egress-error.ts";
import { createModels } from "../src/create-models.ts";
import { ModelTurnError } from "../src/port.ts";
import { turnRequest } from "./support/turn-request.ts";
import { startWireServer } from "./support/wire-server.ts";

const API_KEY = "sk-secret-0123456789";
const NOW = Date.parse("2026-11-21T06:00:00.000Z");

function modelsAt(baseUrl: string, fetch: typeof globalThis.fetch = globalThis.fetch) {
  return createModels({ providers: { openai: { apiKey: API_KEY, baseUrl } }, fetch, now: () => NOW });
}

async function failureOf(run: Promise<unknown>): Promise<unknown> {
  return run.then(
    () => "no failure",
    (error: unknown) => error,
  );
}

const forms = [
  ["whole", {}],
  ["streamed", { onTextDelta: () => {} }],
] as const;

describe.each(forms)("a turn that fails, %s", (_form, listener) => {
  const request = () => turnRequest({ model: "openai/gpt-5", ...listener });

  it.each<[string, Record<string, string>, number | undefined]>([
    ["in seconds", { "retry-after": "3" }, 3_000],
    ["in ms, which counts more", { "retry-after": "3", "retry-after-ms": "1500.2" }, 1_501],
    ["as a date", { "retry-after": "Sat, 21 Nov 2026 06:01:00 GMT" }, 60_000],
    ["as a date that has passed", { "retry-after": "Sat, 21 Nov 2026 05:00:00 GMT" }, 0],
    ["in words that mean nothing", { "retry-after": "soon" }, undefined],
    ["not at all", {}, undefined],
  ])("says how long the provider wants to be left alone: %s", async (_how, headers, retryAfterMs) => {
    const server = await startWireServer([{ status: 503, headers, body: { error: { message: "busy" } } }]);
    const failure = await failureOf(modelsAt(server.url).runTurn(request()));
    await server.stop();
    expect(failure).toMatchObject({ code: "MODEL_ERROR", isRetryable: true, retryAfterMs });
  });

  it("quotes at most 500 characters of the provider, and never the key", async () => {
    const message = `the key ${API_KEY} is\nslow ${"x".repeat(2_000)}`;
    const server = await startWireServer([{ status: 429, body: { error: { message } } }]);
    const failure = await failureOf(modelsAt(server.url).runTurn(request()));
    await server.stop();
    expect(failure).toBeInstanceOf(ModelTurnError);
    const text = failure instanceof Error ? failure.message : "";
    expect(text).toMatch(/^openai responded with HTTP 429: the key \[redacted:OPENAI_API_KEY\] is slow x+…$/);
    expect(text.length).toBeLessThan(560);
  });

  it("says nothing that the provider says of a key that it refused", async () => {
    const message = `Incorrect API key provided: ${API_KEY}`;
    const server = await startWireServer([{ status: 401, body: { error: { message } } }]);
    const failure = await failureOf(modelsAt(server.url).runTurn(request()));
    await server.stop();
    expect(failure).toMatchObject({
      code: "MODEL_ERROR",
      isRetryable: false,
      message: "openai rejected the API key (HTTP 401); check OPENAI_API_KEY",
    });
  });

  it("is retryable where nobody listens", async () => {
    const server = await startWireServer([]);
    await server.stop();
    await expect(modelsAt(server.url).runTurn(request())).rejects.toMatchObject({
      code: "MODEL_ERROR",
      isRetryable: true,
      message: "the connection to openai failed",
    });
  });

  it.each<[EgressError["code"], boolean]>([
    ["URL_BLOCKED", false],
    ["DNS_BLOCKED", false],
    ["TLS_ERROR", false],
    ["RESPONSE_TOO_LARGE", false],
    ["NETWORK_ERROR", true],
    ["TIMEOUT", true],
  ])("tells %s of the egress guard (retryable: %s)", async (code, isRetryable) => {
    const guarded = async () => {
      throw new EgressError(code, "the address is not allowed", { reason: "10.0.0.1 is private" });
    };
    const failure = await failureOf(modelsAt("https://models.example.com/v1", guarded).runTurn(request()));
    const told =
      code === "NETWORK_ERROR"
        ? "is the server of provider openai running? See the gateway's log for the cause"
        : "the address is not allowed";
    expect(failure).toMatchObject({
      code: "MODEL_ERROR",
      isRetryable,
      message: `openai could not be reached (${code}): ${told}`,
      unreachable: { provider: "openai", origin: "https://models.example.com", code, reason: "10.0.0.1 is private" },
    });
  });

  it("does not ask whether a server runs that was cut off while it answered", async () => {
    const guarded = async () => {
      throw new EgressError("NETWORK_ERROR", "the connection failed", { reason: "ECONNRESET", bytesMayHaveLeft: true });
    };
    const failure = await failureOf(modelsAt("https://models.example.com/v1", guarded).runTurn(request()));
    expect(failure).toMatchObject({ message: "openai could not be reached (NETWORK_ERROR): the connection failed" });
  });

  it.each<[string, string | null, object | undefined]>([
    ["wrote the address itself", "https://theirs.example/v1", undefined],
    [
      "brought its key to the gateway's address",
      null,
      { origin: "https://models.example.com", reason: "ECONNREFUSED" },
    ],
  ])(
    "tells the log of a workspace's provider only what is the gateway's own: it %s",
    async (_who, baseUrl, unreachable) => {
      const guarded = async () => {
        throw new EgressError("NETWORK_ERROR", "the service could not be reached", { reason: "ECONNREFUSED" });
      };
      const secret = { value: API_KEY, hosts: ["models.example.com", "theirs.example"] };
      const models = createModels({
        providers: { openai: { baseUrl: "https://models.example.com/v1" } },
        fetch: guarded,
        workspaces: {
          fetch: guarded,
          providers: { find: async () => ({ secretName: "KEY", secret, baseUrl, isUnbound: false }) },
        },
      });
      const failure = await failureOf(models.runTurn(request()));
      expect(failure).toBeInstanceOf(ModelTurnError);
      if (unreachable === undefined) {
        expect(failure).toMatchObject({
          message: "openai could not be reached (NETWORK_ERROR): the service could not be reached",
          unreachable: undefined,
        });
      } else expect(failure).toMatchObject({ unreachable });
    },
  );

  it("passes a defect on as it is", async () => {
    const defect = new RangeError("a bug");
    const broken = async () => {
      throw defect;
    };
    expect(await failureOf(modelsAt("https://models.example.com/v1", broken).runTurn(request()))).toBe(defect);
  });

  it("calls nobody when it was aborted before", async () => {
    const reason = new Error("cancelled before");
    const fetched: unknown[] = [];
    const models = modelsAt("https://models.example.com/v1", async (input) => {
      fetched.push(input);
      return new Response("{}");
    });
    const run = models.runTurn({ ...request(), signal: AbortSignal.abort(reason) });
    expect(await failureOf(run)).toBe(reason);
    expect(fetched).toEqual([]);
  });

  it("rejects with the signal's reason when it is aborted while the provider thinks", async () => {
    const reason = new Error("cancelled meanwhile");
    const controller = new AbortController();
    const server = createServer((incoming) => {
      incoming.resume();
      controller.abort(reason);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    const run = modelsAt(`http://127.0.0.1:${port}/v1`).runTurn({ ...request(), signal: controller.signal });
    expect(await failureOf(run)).toBe(reason);
    server.closeAllConnections();
    server.close();
  });
});

it("rejects with the signal's reason when it is aborted between two deltas", async () => {
  const reason = new Error("cancelled in between");
  const controller = new AbortController();
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const delta = { choices: [{ index: 0, delta: { content: "It " }, finish_reason: null }] };
    response.write(`data: ${JSON.stringify(delta)}\n\n`);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const deltas: string[] = [];
  const run = modelsAt(`http://127.0.0.1:${port}/v1`).runTurn(
    turnRequest({
      model: "openai/gpt-5",
      signal: controller.signal,
      onTextDelta: (text) => {
        deltas.push(text);
        controller.abort(reason);
      },
    }),
  );
  expect(await failureOf(run)).toBe(reason);
  expect(deltas).toEqual(["It "]);
  server.closeAllConnections();
  server.close();
});
