import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as pass } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type MeasuredGateway, startMeasuredGateway } from "./support/measured-gateway.ts";
import { calls, startRawService, toolAt } from "./support/services.ts";

const READERS = 10;
const CALLS = 20;
/** Each call brings an event of so many characters; all of them are far more than the buffers of a connection hold. */
const RESULT_CHARACTERS = 490_000;
/** What the gateway may keep for a reader that does not read: the event that is being sent, and the next one or two. */
const MAX_KEPT_MIB_EACH = 4;

describe("readers that do not read", () => {
  let gateway: MeasuredGateway;
  beforeAll(async () => {
    gateway = await startMeasuredGateway();
  });
  afterAll(() => gateway?.stop());

  /** Opens a stream and reads nothing of it. */
  async function openUnread(executionId: string): Promise<Socket> {
    const socket = connect(Number(new URL(gateway.url).port), "127.0.0.1");
    await once(socket, "connect");
    socket.pause();
    onTestFinished(() => {
      socket.destroy();
    });
    const head = ["Host: localhost", `Authorization: Bearer ${gateway.apiKey}`, "", ""].join("\r\n");
    socket.write(`GET /v1/executions/${executionId}/events HTTP/1.1\r\n${head}`);
    return socket;
  }

  /** The numbers of the events that come from now on. */
  async function readToEnd(socket: Socket): Promise<readonly number[]> {
    const chunks: string[] = [];
    socket.setEncoding("utf8").on("data", (chunk: string) => chunks.push(chunk));
    socket.resume();
    while (!chunks.slice(-2).join("").includes("event: execution.completed")) await once(socket, "data");
    const text = chunks.join("");
    expect(text.length).toBeGreaterThan(CALLS * RESULT_CHARACTERS);
    return [...text.matchAll(/^id: (\d+)$/gm)].map(([, number]) => Number(number));
  }

  it.each<[string, boolean]>([
    ["while the execution goes on", true],
    ["of an execution that has ended", false],
  ])("hold up nothing, cost little memory each and miss nothing: %s", { timeout: 60_000 }, async (_what, isRunning) => {
    const { agents, executions } = gateway.client;
    // One after the other, so that each result is an append of its own.
    let last = Promise.resolve();
    const service = await startRawService(async (response) => {
      last = last.then(() => pass(30));
      await last;
      response.json({ result: "r".repeat(RESULT_CHARACTERS) });
    });
    const agent = await agents.create({
      name: "Talkative",
      model: "scripted/turns",
      tools: [toolAt(service.url, { timeout: 30_000 })],
      limits: { maxToolResultTokens: 100_000_000 },
    });
    const turns = [calls(...Array.from({ length: CALLS }, () => "lookup_order")), { text: "done" }];
    const input = { input: "go", script: { turns } };
    const before = await gateway.keptMiB();
    const { id } = await agents.start(agent.id, input);
    if (!isRunning) await executions.events(id).result();
    const sockets = await Promise.all(Array.from({ length: READERS }, () => openUnread(id)));
    const ended = await executions.events(id).result();
    expect(ended).toMatchObject({ status: "completed", output: { text: "done" } });
    // Whoever reads gets everything while the others still do not read.
    const reader = await openUnread(id);
    const numbers = await readToEnd(reader);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    expect(((await gateway.keptMiB()) - before) / READERS).toBeLessThan(MAX_KEPT_MIB_EACH);
    for (const socket of sockets.slice(0, 2)) expect(await readToEnd(socket)).toEqual(numbers);
  });
});
