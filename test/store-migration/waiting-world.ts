import type { Agent } from "@yagate/client";
import { defineTool, type ToolCallback } from "@yagate/handler";
import type { Script } from "@yagate/protocol";
import type { GatewayProcess } from "../crash/gateway-process.ts";
import { startRawService, startService, toolAt } from "../e2e/support/services.ts";

/** How long a retry waits: longer than the start of all executions of a test takes. */
const RETRY_AFTER_S = 90;
const AT_ONCE = 24;
/** Calls that wait for a retry at one endpoint: fewer than the failures that open its circuit. */
const RETRIES_PER_ENDPOINT = 9;
const FAILING_ENDPOINTS = 40;
const KINDS = ["approval", "callback", "retry"] as const;

export type WaitingKind = (typeof KINDS)[number];

/** Agents with a tool for each reason to wait, and what waits. */
export interface WaitingWorld {
  /** The callbacks of all calls that were deferred. */
  readonly callbacks: readonly ToolCallback[];
  /** How often each tool ran its function, or answered with a result. */
  readonly results: Readonly<Record<"plain" | WaitingKind, number>>;
  /** Starts executions that complete at once. Returns their ids. */
  complete(count: number): Promise<readonly string[]>;
  /** Starts executions that wait, and resolves with their ids when all of them do. */
  wait(count: number): Promise<Readonly<Record<WaitingKind, readonly string[]>>>;
  /** From now on, calls that are repeated succeed. */
  recover(): void;
}

/** Starts the services and creates the agent. */
export async function openWaitingWorld({ client, signingSecret }: GatewayProcess): Promise<WaitingWorld> {
  const callbacks: ToolCallback[] = [];
  const results = { plain: 0, approval: 0, callback: 0, retry: 0 };
  const parameters = { type: "object" } as const;
  const counted = (name: "plain" | "approval") =>
    defineTool({
      ...{ name, description: `Acts: ${name}.`, parameters },
      execute: async () => {
        results[name] += 1;
        return "done";
      },
    });
  const deferred = defineTool({
    ...{ name: "callback", description: "Acts later.", parameters },
    async execute(_parameters, { callback, defer }) {
      if (callback !== undefined) callbacks.push(callback);
      results.callback += 1;
      return defer();
    },
  });
  const url = await startService(signingSecret, [counted("plain"), counted("approval"), deferred]);
  let hasRecovered = false;
  let failures = 0;
  const startFailingService = () =>
    startRawService((response) => {
      if (hasRecovered) {
        results.retry += 1;
        response.json({ result: "done" });
      } else {
        failures += 1;
        response
          .status(503)
          .setHeader("Retry-After", RETRY_AFTER_S)
          .json({ error: { code: "BUSY", message: "busy" } });
      }
    });
  const failing = await Promise.all(Array.from({ length: FAILING_ENDPOINTS }, startFailingService));
  const common = { parameters, sideEffect: "read_only" } as const;
  const agent: Agent = await client.agents.create({
    name: "Waiting",
    model: "scripted/turns",
    tools: [
      toolAt(url, { ...common, name: "plain" }),
      toolAt(url, { parameters, name: "approval", sideEffect: "destructive" }),
      toolAt(url, { ...common, name: "callback", async: true }),
    ],
  });
  const retrying = await Promise.all(
    failing.map(({ url }) => {
      const tools = [toolAt(url, { ...common, name: "retry", retries: 3 })];
      return client.agents.create({ name: "Retrying", model: "scripted/turns", tools });
    }),
  );
  const agentOf = (kind: "plain" | WaitingKind, index: number) =>
    kind === "retry" ? retrying[Math.floor(index / RETRIES_PER_ENDPOINT)] : agent;
  const scriptOf = (name: string): Script => ({ turns: [{ toolCalls: [{ name, parameters: {} }] }, { text: "done" }] });
  const start = async (kind: "plain" | WaitingKind, count: number) => {
    const ids: string[] = [];
    const work = async () => {
      while (ids.length < count) {
        const index = ids.push("") - 1;
        const { id } = await client.agents.start(agentOf(kind, index)?.id ?? "", {
          ...{ input: "go", script: scriptOf(kind) },
          metadata: { kind, index: `${index}` },
        });
        ids[index] = id;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return ids;
  };
  const until = async (isReached: () => boolean | Promise<boolean>) => {
    while (!(await isReached())) await new Promise((resolve) => setTimeout(resolve, 50));
  };
  return {
    callbacks,
    results,
    async complete(count) {
      const ids = await start("plain", count);
      const isOver = async () =>
        (await client.executions.list({ status: "running", limit: 1 }).page()).data.length === 0;
      await until(() => results.plain >= count);
      await until(isOver);
      return ids;
    },
    async wait(count) {
      const share = Math.ceil(count / KINDS.length);
      const last = count - 2 * share;
      const ids = {
        approval: await start("approval", share),
        callback: await start("callback", share),
        retry: await start("retry", last),
      };
      await until(() => callbacks.length === share && failures >= last);
      const pending = async () => (await client.approvals.list({ status: "pending", limit: 200 }).toArray()).length;
      await until(async () => (await pending()) === share);
      return ids;
    },
    recover() {
      hasRecovered = true;
    },
  };
}
