import { type Agent, Yagate } from "@yagate/client";
import type { Script } from "@yagate/protocol";

/** Long enough for a slow call to be on its way. */
const CANCEL_AFTER_MS = 50;
const READ_AGAIN = 5;

/** How often each thing was done. */
export type Tally = Record<string, number>;

/** Simulates users, whose requests succeed or fail, until `stop`. */
export interface Traffic {
  readonly tally: Tally;
  stop(): Promise<void>;
}

/** The destination of the traffic, and the paths of the called service. */
export interface Target {
  readonly gatewayUrl: string;
  readonly apiKey: string;
  readonly serviceUrl: string;
  readonly paths: readonly string[];
}

type Scene = () => Promise<void>;

const callOf = (name: string) => ({ name, parameters: { orderId: "ORD-12345" } });
const nameOf = (path: string) => (path === "/" ? "lookup_order" : `lookup_${path.slice(1)}`);

/** Starts this number of concurrent users. */
export async function startTraffic(target: Target, users: number): Promise<Traffic> {
  const client = new Yagate({ baseUrl: target.gatewayUrl, apiKey: target.apiKey });
  const agent = await createAgent(client, target);
  const scenes = scenesOf(client, agent, target);
  const names = Object.keys(scenes);
  const tally: Tally = {};
  let isOver = false;
  let turn = 0;

  async function user(): Promise<void> {
    while (!isOver) {
      const name = names[turn % names.length] ?? "";
      turn += 1;
      await scenes[name]?.();
      tally[name] = (tally[name] ?? 0) + 1;
    }
  }

  const done = Promise.all(Array.from({ length: users }, user));
  // Told when it is asked for.
  done.catch(() => undefined);
  return {
    tally,
    async stop() {
      isOver = true;
      await done;
    },
  };
}

function createAgent(client: Yagate, { serviceUrl, paths }: Target): Promise<Agent> {
  return client.agents.create({
    name: "soak",
    model: "scripted/turns",
    systemPrompt: "You answer questions about orders.",
    tools: paths.map((path) => ({
      name: nameOf(path),
      description: "Look up an order by its number.",
      parameters: { type: "object", properties: { orderId: { type: "string" } }, required: ["orderId"] },
      handler: `${serviceUrl}${path}`,
      sideEffect: "read_only",
      retries: 1,
    })),
  });
}

function scenesOf(client: Yagate, agent: Agent, { gatewayUrl, apiKey, paths }: Target): Record<string, Scene> {
  const request = (turns: Script["turns"]) => ({ input: "Where is order ORD-12345?", script: { turns } });
  const answered = (path: string) => request([{ toolCalls: [callOf(nameOf(path))] }, { text: "It is shipped." }]);
  const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
  const post = (path: string, body: string, more: object = {}) =>
    fetch(`${gatewayUrl}${path}`, { method: "POST", headers: { ...headers, ...more }, body });
  const executions = `/v1/agents/${agent.id}/executions`;
  const expectStatus = async (response: Response, status: number) => {
    await response.arrayBuffer();
    if (response.status !== status) throw new Error(`expected ${status}, got ${response.status}`);
  };
  const wait = (path: string): Scene => {
    return async () => expectStatus(await post(executions, JSON.stringify(answered(path)), { prefer: "wait=30" }), 201);
  };

  return {
    ...Object.fromEntries(paths.map((path) => [`waited for ${path}`, wait(path)])),
    async streamed() {
      await client.agents.execute(agent.id, answered("/"));
    },
    async "all tools in one turn"() {
      const calls = paths.map((path) => callOf(nameOf(path)));
      await client.agents.execute(agent.id, request([{ toolCalls: calls }, { text: "It is shipped." }]));
    },
    async "wrong arguments and an unknown tool"() {
      const calls = [
        { name: "lookup_order", parameters: { orderId: 7 } },
        { name: "no_such_tool", parameters: {} },
      ];
      await client.agents.execute(agent.id, request([{ toolCalls: calls }, { text: "I can't." }]));
    },
    async cancelled() {
      const { id } = await client.agents.start(agent.id, answered("/slow"));
      await new Promise((resolve) => setTimeout(resolve, CANCEL_AFTER_MS));
      await client.executions.cancel(id);
    },
    async "stream abandoned at its first word"() {
      const over = new AbortController();
      const response = await fetch(`${gatewayUrl}${executions}`, {
        method: "POST",
        headers: { ...headers, accept: "text/event-stream" },
        body: JSON.stringify(answered("/slow")),
        signal: over.signal,
      });
      await response.body?.getReader().read();
      over.abort();
    },
    async "waiting abandoned"() {
      const signal = AbortSignal.timeout(CANCEL_AFTER_MS);
      const body = JSON.stringify(answered("/slow"));
      const asked = fetch(`${gatewayUrl}${executions}`, {
        method: "POST",
        headers: { ...headers, prefer: "wait=30" },
        body,
        signal,
      });
      await asked.then((response) => response.arrayBuffer()).catch(() => undefined);
    },
    async "asked twice with one key"() {
      const key = { "idempotency-key": crypto.randomUUID(), prefer: "wait=30" };
      const body = JSON.stringify(answered("/"));
      const responses = await Promise.all([post(executions, body, key), post(executions, body, key)]);
      await Promise.all(responses.map((response) => response.arrayBuffer()));
    },
    async "read again"() {
      let left = READ_AGAIN;
      for await (const { id } of client.executions.list({ limit: READ_AGAIN })) {
        await client.executions.toolCalls(id).toArray();
        left -= 1;
        if (left === 0) break;
      }
    },
    async refused() {
      await expectStatus(await post(executions, "{"), 400);
      await expectStatus(await fetch(`${gatewayUrl}/v1/executions`), 401);
      await expectStatus(await fetch(`${gatewayUrl}/v1/nothing`, { headers }), 404);
    },
  };
}
