import { executionEventSchema, type Script } from "@yagate/protocol";
import { expect, it } from "vitest";
import { send, startHandler } from "../../../webhooks/test/support/handler-server.ts";
import { createArtifactReader } from "../../src/executions/artifacts/artifact-reader.ts";
import { openRunWorld, toolAt, WORKSPACE } from "./run-world.ts";

const CALLS: Script["turns"] = [
  { toolCalls: [{ name: "act", parameters: { size: 60_000 } }] },
  { toolCalls: [{ name: "act", parameters: { size: 70_000 } }] },
  { toolCalls: [{ name: "act", parameters: { size: 10 } }] },
  { toolCalls: [{ name: "missing", parameters: {} }] },
  { text: "done" },
];

/** An ended execution with two artifacts, a small result and a failure, and a reader that counts what it reads. */
async function openLibrary(keptCharacters?: number) {
  const world = await openRunWorld();
  const handler = await startHandler((response, { body }) => {
    const { size } = JSON.parse(body.toString()).parameters;
    send(response, { body: { result: ["y".repeat(size)] } });
  });
  const execution = await world.create([toolAt(handler.url)], CALLS);
  await world.start(execution, false, () => {}).done;
  const events = await world.events(execution.id);
  const ids = events.flatMap((event) =>
    event.type === "tool_call.requested" ? [event.toolCallId.replace("tc_", "art_")] : [],
  );
  let pages = 0;
  const { eventStore } = world;
  const reader = createArtifactReader(
    {
      findToolCall: eventStore.findToolCall,
      entryPage(executionId, afterSeq) {
        pages += 1;
        return eventStore.entryPage(executionId, afterSeq);
      },
    },
    keptCharacters,
  );
  const find = (index: number, workspaceId = WORKSPACE) => reader.find(ids[index] ?? "", workspaceId);
  return { world, execution, ids, find, reader, pages: () => pages };
}

it("only a result that is too long is an artifact", async () => {
  const { find, reader, ids, execution } = await openLibrary();
  expect(await find(0)).toMatchObject({
    id: ids[0],
    executionId: execution.id,
    mediaType: "application/json",
    text: JSON.stringify(["y".repeat(60_000)]),
  });
  expect(await find(2)).toBeUndefined();
  expect(await find(3)).toBeUndefined();
  for (const id of ["art_1", "tc_1", "", ids[0]?.replace("art_", "tc_") ?? ""]) {
    expect(await reader.find(id, WORKSPACE)).toBeUndefined();
  }
});

it("a log is read once for each artifact", async () => {
  const { find, pages } = await openLibrary();
  const first = await find(0);
  const read = pages();
  expect(await find(0)).toEqual(first);
  expect(pages()).toBe(read);
});

it("the cache is bounded and keeps the artifacts read last", async () => {
  const { find, pages } = await openLibrary(100_000);
  const readsPages = async (index: number) => {
    const before = pages();
    await find(index);
    return pages() > before;
  };
  expect(await readsPages(0)).toBe(true);
  expect(await readsPages(0)).toBe(false);
  expect(await readsPages(1)).toBe(true);
  expect(await readsPages(1)).toBe(false);
  expect(await readsPages(0)).toBe(true);
});

it("an artifact belongs to one workspace and is deleted with its execution, cached or not", async () => {
  const { find, world } = await openLibrary();
  expect(await find(0)).toBeDefined();
  expect(await find(0, "ws_2")).toBeUndefined();
  await world.store.retention.deleteEnded({ endedBefore: Number.MAX_SAFE_INTEGER, afterId: "", limit: 10 });
  expect(await find(0)).toBeUndefined();
});

it("the model reads of the result of a call that has moved what the capability that served it shows", async () => {
  const toolCallId = "tc_01m8mv93k3ekbbdjhnnpj2795y001m9526";
  const event = { at: new Date().toISOString(), executionId: "exec_1", toolCallId };
  const admission = { kind: "handler", sideEffect: "read_only", risk: null } as const;
  const policyDecision = { decision: "allowed", reason: "test" } as const;
  const [from, to] = ["shop.a", "shop.b"].map((key) => ({ key, version: "1" }));
  const log = [
    { type: "tool_call.requested", turn: 1, name: "find", parameters: {}, ...admission, policyDecision: null },
    {
      ...{ type: "route.changed", from, to, error: { code: "TIMEOUT", message: "too late" }, ...admission },
      ...{ policyDecision, projection: { redact: ["$.card"] } },
    },
    {
      type: "tool_call.completed",
      result: { card: "4111 1111", rows: "y".repeat(60_000) },
      cost: { usd: 0, credits: 0 },
    },
  ];
  const entries = log.map((fields, index) => ({
    event: executionEventSchema.parse({ ...event, seq: index + 1, ...fields }),
  }));
  const reader = createArtifactReader({
    findToolCall: async () => ({ executionId: "exec_1" }),
    entryPage: async () => ({ entries, isLast: true }),
  });
  const artifact = await reader.find(toolCallId.replace("tc_", "art_"), WORKSPACE);
  expect(artifact?.text).toContain("4111 1111");
  expect(artifact?.readable.text).not.toContain("4111 1111");
  expect(artifact?.readable.text).toContain("yyy");
});
