import { setTimeout as pass } from "node:timers/promises";
import { Yagate } from "@yagate/client";
import { defineTool, type ToolCallback } from "@yagate/handler";
import { completeToolCall } from "@yagate/handler/callback";
import { describe, expect, it } from "vitest";
import { type Played, startModelServer, type WireRequest } from "../e2e/support/model-server.ts";
import { startService } from "../e2e/support/services.ts";
import { createMigratedDatabase } from "../services/migrated-stores.ts";
import { hasPostgres } from "../services/postgres.ts";
import { followToEnd } from "./applicant.ts";
import { GatewayProcess } from "./gateway-process.ts";

const OTHERS = 60;

/** A service with tools that answer at once, one that hands its work on, and one whose calls need an approval. */
async function startTools(secret: string) {
  const deferred = Promise.withResolvers<ToolCallback>();
  const runs: string[] = [];
  const parameters = { type: "object", properties: { id: { type: "string" } } } as const;
  const others = Array.from({ length: OTHERS }, (_, index) =>
    defineTool({
      ...{
        name: `step_${index}`,
        description: `Does step ${index} of a process.`,
        parameters,
        sideEffect: "read_only",
      },
      execute: () => `did step ${index}`,
    }),
  );
  const archive = defineTool({
    ...{ name: "archive_contract", description: "Archives a contract for ever.", parameters, async: true },
    sideEffect: "non_idempotent_write",
    execute(_parameters, { callback, defer }) {
      runs.push("archive_contract");
      if (callback !== undefined) deferred.resolve(callback);
      return defer();
    },
  });
  const remove = defineTool({
    ...{ name: "remove_parcel", description: "Removes a parcel.", parameters, sideEffect: "destructive" },
    execute() {
      runs.push("remove_parcel");
      return "removed";
    },
  });
  const url = await startService(secret, [...others, archive, remove]);
  return { url, runs, deferred: deferred.promise };
}

const calling = (name: string, parameters: object = {}): Played => ({
  calls: [{ name, arguments: JSON.stringify(parameters) }],
});
const namesIn = ({ tools }: WireRequest) => tools.map(({ function: { name } }) => name);

const STORES: readonly [string, () => Promise<Readonly<Record<string, string>>>][] = [
  ["SQLite", async () => ({})],
  ["PostgreSQL", async () => ({ DATABASE_URL: await createMigratedDatabase() })],
];

describe.each(STORES)("tools that were loaded, on %s", (store, environmentOf) => {
  it.skipIf(store === "PostgreSQL" && !hasPostgres())(
    "stay loaded through kills in a model turn, while a callback is awaited, and while an approval is",
    { timeout: 240_000 },
    async () => {
      const silent = Promise.withResolvers<void>();
      const silence = () => {
        silent.resolve();
        return { isSilent: true };
      };
      const model = await startModelServer([
        calling("tool_search", { query: "archive a contract", limit: 1 }),
        silence,
        calling("work_archive_contract"),
        // It has never seen this one.
        calling("work_remove_parcel"),
        calling("work_remove_parcel", { id: "P1" }),
        calling("tool_search", { query: "work.archive_contract work.step_7", limit: 1 }),
        calling("work_step_7"),
        { text: "done" },
      ]);
      const gateway = await GatewayProcess.prepare({
        ...(await environmentOf()),
        ...{ OPENAI_API_KEY: "sk-test", OPENAI_BASE_URL: model.url },
      });
      await gateway.start();
      const secrets = gateway.signingSecret;
      const service = await startTools(secrets);
      const { client } = gateway;
      await client.sources.create({ name: "work", kind: "handler", url: service.url, accept: "all" });
      const agent = await client.agents.create({
        ...{ name: "Crash", model: "openai/gpt-test", tools: [{ source: "work" }], toolSearch: {} },
      });
      const { id } = await client.agents.start(agent.id, { input: "go" });
      await silent.promise;
      for await (const { type } of client.executions.events(id)) if (type === "tools.loaded") break;
      const restart = async () => {
        await gateway.kill();
        await gateway.start();
      };
      await restart();

      const callback = await service.deferred;
      for await (const { type } of client.executions.events(id)) if (type === "execution.waiting") break;
      await restart();
      await completeToolCall(callback, { result: "archived" }, { secrets });

      let approval: { readonly id: string } | undefined;
      while (approval === undefined) {
        [approval] = await client.approvals.list({ status: "pending" }).toArray();
        if (approval === undefined) await pass(50);
      }
      await restart();
      const { key } = await client.apiKeys.create({ name: "lead", scopes: ["approvals"] });
      await new Yagate({ baseUrl: gateway.url, apiKey: key, maxRetries: 0 }).approvals.approve(approval.id);

      const events = await followToEnd(gateway, id);
      expect(events.at(-1)).toMatchObject({ type: "execution.completed" });
      expect(events[0]).toMatchObject({ toolSearch: { shown: ["read_artifact"], deferred: OTHERS + 2 } });
      const loaded = events.flatMap((event) => (event.type === "tools.loaded" ? [[event.tools, event.reason]] : []));
      expect(loaded).toEqual([
        [["work.archive_contract"], "search"],
        [["work.remove_parcel"], "call"],
        [["work.step_7"], "search"],
      ]);
      const failed = events.flatMap((event) => (event.type === "tool_call.failed" ? [event.error.code] : []));
      expect(failed).toEqual(["TOOL_NOT_LOADED"]);
      expect(service.runs).toEqual(["archive_contract", "remove_parcel"]);

      // Every turn was offered what the turn before it was, and then what was loaded since, whichever process asked.
      const first = ["read_artifact", "tool_search"];
      const archive = [...first, "work_archive_contract"];
      const remove = [...archive, "work_remove_parcel"];
      const last = [...remove, "work_step_7"];
      expect(model.requests.map(namesIn)).toEqual([first, archive, archive, archive, remove, remove, last, last]);
      expect(gateway.defects).toEqual([]);
    },
  );
});
