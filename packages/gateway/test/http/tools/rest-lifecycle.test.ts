import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { newId } from "@yagate/lib/ids/ids";
import { createWorkspaceToolSchema, isRestTool, jsonValueSchema, updateWorkspaceToolSchema } from "@yagate/protocol";
import type { Store } from "@yagate/store/port";
import { toAgentCheck } from "@yagate/tool-definitions/agent-finding";
import { checkRestTool } from "@yagate/tool-definitions/rest/check-rest-tool";
import { compileRestTool } from "@yagate/tool-definitions/rest/compile-rest-tool";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openSqliteStore } from "../../../../store/src/sqlite.ts";
import { makeTemporaryDirectory, type TemporaryDirectory } from "../../../../store/test/support/temporary-directory.ts";
import type { ToolCheck } from "../../../src/workspace-tools/tool-check.ts";
import { createToolLifecycle, type ToolLifecycle } from "../../../src/workspace-tools/tool-lifecycle.ts";
import type { PrepareTest } from "../../../src/workspace-tools/tool-tester.ts";
import { createToolWriter, type ToolWriter } from "../../../src/workspace-tools/tool-writer.ts";

/** An API whose answer a test decides. */
let status = 200;
const api = createServer((request, response) => {
  request.resume();
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ total: 3 }));
});
let directory: TemporaryDirectory;
let store: Store;
let writer: ToolWriter;
let lifecycle: ToolLifecycle;
/** Right before the request of a test leaves. */
let onSend = async () => {};

beforeAll(() => new Promise<void>((resolve) => api.listen(0, "127.0.0.1", resolve)));
afterAll(() => api.close());

const prepareTest: PrepareTest = async (_workspaceId, definition, parameters) => {
  if (!isRestTool(definition)) throw new Error("expected a request");
  const { method, url } = compileRestTool(definition.rest).render(parameters, (name) => name);
  return {
    method,
    async run(signal) {
      await onSend();
      const answer = await fetch(url, { method, signal });
      const common = { httpStatus: answer.status, durationMs: 1, response: jsonValueSchema.parse(await answer.json()) };
      const error = answer.ok ? null : { code: "HANDLER_ERROR", message: `it answered ${answer.status}` };
      return { ...common, ok: answer.ok, error };
    },
  };
};

beforeEach(async () => {
  status = 200;
  onSend = async () => {};
  directory = await makeTemporaryDirectory();
  store = await openSqliteStore({ dataDir: directory.path });
  const { tools, toolkits } = store;
  const now = () => Date.parse("2026-11-21T06:00:00.000Z");
  const check: ToolCheck = async (_workspaceId, definition) => {
    if (!isRestTool(definition)) return { errors: [], warnings: [] };
    const context = { urlProblem: async () => undefined, findSecret: async () => undefined };
    return toAgentCheck(await checkRestTool(definition.rest, "definition.rest", context));
  };
  writer = createToolWriter({ ...{ tools, toolkits, now, newToolId: () => newId("tool") }, check });
  lifecycle = createToolLifecycle({ tools, prepareTest, check, now });
});
afterEach(async () => {
  await store.close();
  await directory.remove();
});

const signal = AbortSignal.timeout(60_000);
const rest = (change: object = {}) => {
  const url = `http://127.0.0.1:${(api.address() as AddressInfo).port}/orders`;
  return { rest: { name: "list_orders", description: "Lists orders.", method: "GET", url, ...change } };
};
const create = (definition: object, more: object = {}) =>
  writer.create("ws_a", createWorkspaceToolSchema.parse({ definition, ...more }));
const update = (id: string, change: object) => writer.update("ws_a", id, updateWorkspaceToolSchema.parse(change));
const test = (id: string, confirm = false) => lifecycle.test("ws_a", id, { parameters: {}, confirm, signal });

/** A tool that agents can use. */
async function created() {
  const { id } = await create(rest());
  await test(id);
  await lifecycle.validate("ws_a", id, 1);
  return lifecycle.finalize("ws_a", id, 1);
}

describe("a REST tool", () => {
  it("goes from draft to created by its definition, a test, a look and a last word", async () => {
    const draft = await create({ rest: { name: "list_orders", method: "GET" } }, { draft: true });
    expect(draft).toMatchObject({ status: "draft", version: 1 });
    expect(draft.problems?.map(({ path }) => path)).toEqual(["definition.rest.description", "definition.rest.url"]);
    expect((await lifecycle.get("ws_a", draft.id)).problems).toEqual(draft.problems);
    const incomplete = {
      code: "CONFLICT",
      hint: "complete its definition first",
      message: expect.stringMatching(/is draft: definition\.rest\.description: .+; definition\.rest\.url: ./),
    };
    await expect(test(draft.id)).rejects.toMatchObject(incomplete);
    await expect(lifecycle.validate("ws_a", draft.id, undefined)).rejects.toMatchObject(incomplete);
    await expect(update(draft.id, { draft: false })).rejects.toMatchObject({
      fields: [{ path: "definition.rest.description" }, { path: "definition.rest.url" }],
    });
    expect(await update(draft.id, { slots: 3 })).toMatchObject({ status: "draft", version: 2 });
    expect(await update(draft.id, { definition: rest() })).toMatchObject({
      status: "configured",
      version: 3,
      slots: 3,
    });
    const step = { code: "CONFLICT", hint: "test it first" };
    await expect(lifecycle.validate("ws_a", draft.id, undefined)).rejects.toMatchObject(step);
    await expect(lifecycle.finalize("ws_a", draft.id, undefined)).rejects.toMatchObject(step);
    expect(await test(draft.id)).toMatchObject({ status: "tested", lastTest: { ok: true, preview: { total: 3 } } });
    expect(await lifecycle.validate("ws_a", draft.id, 3)).toMatchObject({ status: "validated" });
    expect(await lifecycle.validate("ws_a", draft.id, 3)).toMatchObject({ status: "validated" });
    await expect(lifecycle.finalize("ws_a", draft.id, 2)).rejects.toMatchObject({ code: "CONFLICT" });
    expect(await lifecycle.finalize("ws_a", draft.id, 3)).toMatchObject({ status: "created", version: 3 });
    expect(await lifecycle.finalize("ws_a", draft.id, 3)).toMatchObject({ status: "created" });
  });

  it("is tested as a draft in which nothing is missing or wrong", async () => {
    const draft = await create(rest(), { draft: true });
    expect(draft).toMatchObject({ status: "draft", problems: [] });
    expect(await lifecycle.get("ws_a", draft.id)).toMatchObject({ status: "draft", problems: [] });
    const untested = { code: "CONFLICT", hint: "test it first" };
    await expect(lifecycle.validate("ws_a", draft.id, undefined)).rejects.toMatchObject(untested);
    status = 500;
    expect(await test(draft.id)).toMatchObject({ status: "configured", version: 1, lastTest: { ok: false } });
    const other = await create(rest({ name: "other" }), { draft: true });
    status = 200;
    expect(await test(other.id)).toMatchObject({ status: "tested", version: 1 });
    expect(await lifecycle.get("ws_a", other.id)).not.toHaveProperty("problems");
  });

  it("is saved with remarks about what is probably not meant, which are not kept", async () => {
    const write = rest({ method: "POST" });
    const remarks = [
      {
        ...{ code: "SIDE_EFFECT_UNDECLARED", severity: "warning" },
        ...{ path: "definition.rest.sideEffect", message: expect.any(String) },
      },
    ];
    const saved = await create(write);
    expect(saved).toMatchObject({ status: "configured", remarks });
    expect(await update(saved.id, { definition: { rest: { ...write.rest, description: "Other." } } })).toMatchObject({
      version: 2,
      remarks,
    });
    expect(await lifecycle.get("ws_a", saved.id)).not.toHaveProperty("remarks");
    expect(await create(rest({ name: "read" }))).not.toHaveProperty("remarks");
  });

  it("stays where it is when a test succeeds, and is configured again when one fails", async () => {
    const { id } = await created();
    expect(await test(id)).toMatchObject({ status: "created" });
    status = 500;
    const failed = await test(id);
    expect(failed).toMatchObject({ status: "configured", lastTest: { ok: false, httpStatus: 500 } });
    expect(failed.lastTest?.preview).toMatchObject({ error: { code: "HANDLER_ERROR" }, response: { total: 3 } });
    expect(await lifecycle.get("ws_a", id)).toEqual(failed);
  });

  it("is configured again, and untested, with another definition; with other slots it stays what it is", async () => {
    const { id } = await created();
    expect(await update(id, { slots: 2, definition: rest() })).toMatchObject({ status: "created", version: 2 });
    const changed = await update(id, { definition: rest({ description: "Lists all orders." }) });
    expect(changed).toMatchObject({ status: "configured", version: 3, lastTest: null });
    expect(await store.tools.findVersion(id, 2)).toMatchObject({ tool: { status: "created", lastTest: { ok: true } } });
  });

  it("is tested once at a time: another test meanwhile is refused before anything is sent", async () => {
    const { id } = await create(rest());
    let sent = 0;
    const gate = Promise.withResolvers<void>();
    onSend = async () => {
      sent += 1;
      // A second request ends the wait, so that it fails the test instead of stopping it.
      if (sent > 1) gate.resolve();
      await gate.promise;
    };
    const tests = Array.from({ length: 20 }, () => test(id));
    const refusals = Promise.all(
      tests.map((one) =>
        one.then(
          () => undefined,
          (error: unknown) => error,
        ),
      ),
    );
    const first = await Promise.race(tests).catch((error: unknown) => error);
    expect(first).toMatchObject({ code: "CONFLICT", message: "another test of this tool is running" });
    gate.resolve();
    const refused = (await refusals).filter((error) => error !== undefined);
    expect([sent, refused.length]).toEqual([1, 19]);
    expect(refused).toEqual(Array(19).fill(first));
    expect((await test(id)).status).toBe("tested");
  });

  it("asks for a confirmation of every method but GET", async () => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      const { id } = await create(rest({ name: method.toLowerCase(), method, sideEffect: "idempotent_write" }));
      await expect(test(id)).rejects.toMatchObject({ fields: [{ path: "confirm", code: "CONFIRMATION_REQUIRED" }] });
      expect(await lifecycle.get("ws_a", id)).toMatchObject({ status: "configured", lastTest: null });
      expect(await test(id, true)).toMatchObject({ status: "tested" });
    }
  });

  it("is not tested by the test of an earlier version", async () => {
    const { id } = await create(rest());
    onSend = async () => {
      await update(id, { definition: rest({ description: "Another one." }) });
    };
    await expect(test(id)).rejects.toMatchObject({ code: "CONFLICT" });
    expect(await lifecycle.get("ws_a", id)).toMatchObject({ version: 2, status: "configured", lastTest: null });
  });

  it("has a definition of at most 128 KiB, as a draft too", async () => {
    const large = rest({
      parameters: [{ name: "q", in: "query", type: "string", schema: { enum: ["x".repeat(140_000)] } }],
    });
    const tooLarge = { code: "INVALID_REQUEST", fields: [{ path: "definition", code: "TOO_LARGE" }] };
    await expect(create(large)).rejects.toMatchObject(tooLarge);
    await expect(create(large, { draft: true })).rejects.toMatchObject(tooLarge);
    const { id } = await create(rest());
    await expect(update(id, { definition: large })).rejects.toMatchObject(tooLarge);
  });

  it("is refused with every problem at once unless it is a draft", async () => {
    const wrong = rest({
      url: "https://api.example.com/{id}",
      parameters: [{ name: "a", in: "path", type: "string" }],
    });
    const refused = create(wrong);
    await expect(refused).rejects.toMatchObject({ code: "INVALID_REQUEST" });
    expect((await store.tools.list("ws_a", { limit: 5 })).data).toEqual([]);
    const { problems = [], status: saved } = await create(wrong, { draft: true });
    expect(saved).toBe("draft");
    expect(problems.length).toBeGreaterThan(0);
    await expect(refused).rejects.toMatchObject({ fields: problems });
  });
});
