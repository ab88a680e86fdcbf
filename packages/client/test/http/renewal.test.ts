import { describe, expect, it } from "vitest";
import { ApiError, Yagate, YagateError } from "../../src/index.ts";
import { clientOf } from "../support/client-of.ts";
import { EVENTS_ROUTE, gate, recordRoutes, slowStream, wholeRun } from "../support/executions.ts";
import { manualRuntime } from "../support/manual-runtime.ts";
import { agentRecord, EXECUTION_ID, event, executionRecord, message, toolCallRecord } from "../support/records.ts";
import { eventStream, json, problem, type Responder, startScriptedGateway } from "../support/scripted-gateway.ts";

const AGENT_ROUTE = "GET /v1/agents/agt_01";
const refused = problem(401, "UNAUTHENTICATED");

/** Lets in whoever has one of these tokens. */
function opensTo(tokens: readonly string[], responder: Responder): Responder {
  return (response, request) =>
    (tokens.some((token) => request.headers.authorization === `Bearer ${token}`) ? responder : refused)(
      response,
      request,
    );
}

/** Gives these texts in turn, the last one for ever, and counts how often it was asked. */
function giving(...texts: readonly string[]) {
  const asked = { times: 0 };
  const apiKey = async () => {
    asked.times += 1;
    return texts[Math.min(asked.times, texts.length) - 1] ?? "";
  };
  return { apiKey, asked };
}

describe("a function for a key", () => {
  it("is asked before the first request, and not again while its key is good", async () => {
    const gateway = await startScriptedGateway({ [AGENT_ROUTE]: opensTo(["yt_1"], json(200, agentRecord())) });
    const { apiKey, asked } = giving("yt_1", "yt_2");
    const client = clientOf(gateway, { apiKey });
    expect(asked.times).toBe(0);
    await client.agents.get("agt_01");
    await client.agents.get("agt_01");
    expect(asked.times).toBe(1);
  });

  it("may give it at once", async () => {
    const gateway = await startScriptedGateway({ [AGENT_ROUTE]: opensTo(["yt_1"], json(200, agentRecord())) });
    await expect(clientOf(gateway, { apiKey: () => "yt_1" }).agents.get("agt_01")).resolves.toBeDefined();
  });

  it("is asked once more when its key is refused, and the request goes out again", async () => {
    const gateway = await startScriptedGateway({ [AGENT_ROUTE]: opensTo(["yt_2"], json(200, agentRecord())) });
    const { apiKey, asked } = giving("yt_1", "yt_2");
    const runtime = manualRuntime();
    await expect(clientOf(gateway, { apiKey, maxRetries: 0 }, runtime).agents.get("agt_01")).resolves.toBeDefined();
    expect({ ...asked, requests: gateway.seen.length, delays: runtime.delays }).toEqual({
      times: 2,
      requests: 2,
      delays: [],
    });
  });

  it("is asked once more although a wrapper of fetch keeps a copy of each answer", async () => {
    const gateway = await startScriptedGateway({ [AGENT_ROUTE]: opensTo(["yt_2"], json(200, agentRecord())) });
    const kept: Response[] = [];
    const keepingFetch: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      kept.push(response.clone());
      return response;
    };
    const { apiKey, asked } = giving("yt_1", "yt_2");
    await expect(clientOf(gateway, { apiKey, fetch: keepingFetch }).agents.get("agt_01")).resolves.toBeDefined();
    expect({ ...asked, kept: kept.length }).toEqual({ times: 2, kept: 2 });
  });

  it("is not asked a third time: the refusal is told", async () => {
    const gateway = await startScriptedGateway({ [AGENT_ROUTE]: refused });
    const { apiKey, asked } = giving("yt_1", "yt_2", "yt_3");
    const error = await clientOf(gateway, { apiKey })
      .agents.get("agt_01")
      .catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code: "UNAUTHENTICATED" });
    expect({ ...asked, requests: gateway.seen.length }).toEqual({ times: 2, requests: 2 });
  });

  it("is not asked because of anything but 401", async () => {
    const gateway = await startScriptedGateway({ [AGENT_ROUTE]: problem(403, "FORBIDDEN") });
    const { apiKey, asked } = giving("yt_1", "yt_2");
    await expect(clientOf(gateway, { apiKey }).agents.get("agt_01")).rejects.toMatchObject({ code: "FORBIDDEN" });
    expect(asked.times).toBe(1);
  });

  it("is asked once for requests that are made at the same time, and once when they are all refused", async () => {
    const gateway = await startScriptedGateway({ [AGENT_ROUTE]: opensTo(["yt_2"], json(200, agentRecord())) });
    const { apiKey, asked } = giving("yt_1", "yt_2", "yt_3");
    const client = clientOf(gateway, { apiKey });
    await Promise.all(Array.from({ length: 5 }, () => client.agents.get("agt_01")));
    expect(asked.times).toBe(2);
  });

  it("makes a POST that was refused go out again with the same idempotency key and body", async () => {
    const route = `POST /v1/executions/${EXECUTION_ID}/cancel`;
    const gateway = await startScriptedGateway({ [route]: opensTo(["yt_2"], json(202, executionRecord())) });
    const { apiKey } = giving("yt_1", "yt_2");
    await clientOf(gateway, { apiKey }).executions.cancel(EXECUTION_ID);
    expect(gateway.seenAt(route).map(({ headers }) => headers["idempotency-key"])).toEqual(["key-1", "key-1"]);
  });

  it("that fails is a lost connection, and is asked again", async () => {
    const gateway = await startScriptedGateway({ [AGENT_ROUTE]: json(200, agentRecord()) });
    let times = 0;
    const apiKey = async () => {
      times += 1;
      if (times < 3) throw new TypeError("Failed to fetch");
      return "yt_1";
    };
    await expect(clientOf(gateway, { apiKey }).agents.get("agt_01")).resolves.toBeDefined();
    expect(times).toBe(3);
  });

  it("that goes on failing is told of, with what it threw", async () => {
    const gateway = await startScriptedGateway({});
    const cause = new TypeError("Failed to fetch");
    const apiKey = () => Promise.reject(cause);
    await expect(clientOf(gateway, { apiKey }).agents.get("agt_01")).rejects.toMatchObject({
      code: "CONNECTION_FAILED",
      message: "the function apiKey threw an error",
      cause,
    });
    expect(gateway.seen).toHaveLength(0);
  });

  it("that throws a YagateError has the last word", async () => {
    const gateway = await startScriptedGateway({});
    let times = 0;
    const apiKey = () => {
      times += 1;
      throw new YagateError("UNAUTHENTICATED", "signed out");
    };
    await expect(clientOf(gateway, { apiKey }).agents.get("agt_01")).rejects.toMatchObject({ message: "signed out" });
    expect(times).toBe(1);
  });

  it.each<[string, string, RegExp]>([
    ["nothing", "null", /expected the function apiKey to return a string/],
    ["an object", '{ "token": "yt_secret" }', /expected the function apiKey to return a string/],
    ["an empty text", '""', /expected apiKey without white space/],
    ["a text with a line's end", '"yt_secret\\n"', /expected apiKey without white space/],
  ])("that gives %s is refused, without what it gave", async (_what, given, expected) => {
    const gateway = await startScriptedGateway({});
    const asked = clientOf(gateway, { apiKey: () => JSON.parse(given) }).agents.get("agt_01");
    const error: unknown = await asked.catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code: "INVALID_REQUEST", message: expect.stringMatching(expected) });
    expect(String(error)).not.toContain("secret");
    expect(gateway.seen).toHaveLength(0);
  });

  it("does not outlast the caller's patience", async () => {
    const gateway = await startScriptedGateway({});
    const controller = new AbortController();
    const apiKey = () => new Promise<string>(() => {});
    const asked = clientOf(gateway, { apiKey }).agents.get("agt_01", { signal: controller.signal });
    controller.abort(new Error("enough"));
    await expect(asked).rejects.toThrow("enough");
  });

  it("does not outlast the time of a request", async () => {
    const gateway = await startScriptedGateway({});
    const runtime = manualRuntime();
    const asked = clientOf(
      gateway,
      { apiKey: () => new Promise<string>(() => {}), timeoutMs: 77, maxRetries: 0 },
      runtime,
    ).agents.get("agt_01");
    expect(runtime.expire(77)).toBe(true);
    await expect(asked).rejects.toMatchObject({
      code: "CONNECTION_FAILED",
      message: expect.stringContaining("no response within 77 ms"),
    });
  });
});

describe("a stream whose token runs out", () => {
  const tokenOf = (request: { headers: { authorization?: string | undefined } }) => request.headers.authorization;

  it("is taken up where it ended, with a new one", async () => {
    const gateway = await startScriptedGateway({
      ...recordRoutes(),
      [`GET /v1/executions/${EXECUTION_ID}`]: [
        opensTo(["yt_2"], json(200, executionRecord({ status: "running" }))),
        opensTo(["yt_2"], json(200, executionRecord({ status: "running" }))),
        opensTo(["yt_2"], json(200, executionRecord())),
      ],
      [EVENTS_ROUTE]: [
        opensTo(["yt_1"], eventStream(wholeRun.slice(0, 2))),
        opensTo(["yt_2"], eventStream(wholeRun.slice(2))),
      ],
    });
    const { apiKey, asked } = giving("yt_1", "yt_2");
    const seqs: unknown[] = [];
    const stream = clientOf(gateway, { apiKey }).executions.events(EXECUTION_ID);
    for await (const each of stream) seqs.push("seq" in each ? each.seq : undefined);
    expect(seqs).toEqual([1, 2, 3]);
    expect((await stream.result()).status).toBe("completed");
    expect(gateway.seenAt(EVENTS_ROUTE).map((request) => request.headers["last-event-id"])).toEqual([undefined, "2"]);
    expect(gateway.seenAt(EVENTS_ROUTE).map(tokenOf)).toEqual(["Bearer yt_1", "Bearer yt_2"]);
    expect(asked.times).toBe(2);
  });

  it("ends with the refusal where the token was a text", async () => {
    const gateway = await startScriptedGateway({
      [`GET /v1/executions/${EXECUTION_ID}`]: refused,
      [EVENTS_ROUTE]: eventStream(wholeRun.slice(0, 2)),
    });
    const stream = clientOf(gateway, { apiKey: "yt_1" }).executions.events(EXECUTION_ID);
    await expect(stream.result()).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  });

  it("answers a held call with the new one, if it ran out while onToolError was thinking", async () => {
    const { opened, open } = gate();
    const fallbackRoute = "POST /v1/tool-calls/tc_1/fallback";
    const gateway = await startScriptedGateway({
      ...recordRoutes(),
      [EVENTS_ROUTE]: slowStream([
        message(event.started(1)),
        message(event.requested(2, "tc_1")),
        message(event.failed(3, "tc_1", "2099-01-01T00:00:00.000Z")),
        opened,
        message(event.completed(4)),
      ]),
      [fallbackRoute]: (response, request) => {
        opensTo(["yt_2"], json(200, toolCallRecord("tc_1")))(response, request);
        if (tokenOf(request) === "Bearer yt_2") open();
      },
    });
    const { apiKey } = giving("yt_1", "yt_2");
    const client = new Yagate({ baseUrl: gateway.url, apiKey }, manualRuntime());
    const result = await client.executions
      .events(EXECUTION_ID, { onToolError: async () => ({ result: "from the page" }) })
      .result();
    expect(result.fallbackErrors).toEqual([]);
    expect(gateway.seenAt(fallbackRoute).map(({ body }) => body)).toEqual([
      { result: "from the page" },
      { result: "from the page" },
    ]);
  });
});
