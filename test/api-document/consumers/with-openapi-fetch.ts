import createClient from "openapi-fetch";
import type { components, paths } from "../.cache/openapi-typescript.ts";

type ExecutionEvent = components["schemas"]["ExecutionEvent"];

/** Makes an agent and executes it in both forms. */
export async function executeBoth(baseUrl: string, apiKey: string, turns: readonly string[]) {
  const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${apiKey}` } });
  const made = await client.POST("/v1/agents", {
    body: { name: "generated", model: "scripted/turns" },
  });
  if (made.error !== undefined) throw new Error(made.error.detail);
  const params = { path: { id: made.data.id } };
  const body = { input: "hello", script: { turns: turns.map((text) => ({ text })) } };

  const whole = await client.POST("/v1/agents/{id}/executions", {
    params: { ...params, header: { Prefer: "wait=20" } },
    body,
  });
  if (whole.error !== undefined) throw new Error(whole.error.detail);

  const streamed = await client.POST("/v1/agents/{id}/executions/stream", { params, body, parseAs: "stream" });
  if (streamed.error !== undefined) throw new Error(streamed.error.detail);
  const events: ExecutionEvent[] = [];
  for await (const event of eventsOf(streamed.data)) events.push(event);

  const refused = await client.GET("/v1/executions/{id}", { params: { path: { id: "exec_none" } } });
  return {
    text: whole.data.output?.text,
    types: events.map(({ type }) => type),
    streamedText: events.map((event) => (event.type === "execution.completed" ? event.output.text : "")).join(""),
    refusedCode: refused.error?.code,
  };
}

async function* eventsOf(stream: ReadableStream<Uint8Array> | null): AsyncGenerator<ExecutionEvent> {
  if (stream === null) return;
  let text = "";
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const messages = (text + decoder.decode(part.value, { stream: true })).split("\n\n");
    text = messages.pop() ?? "";
    for (const message of messages) {
      const data = /^data: ?(.*)$/m.exec(message)?.[1];
      if (data !== undefined) yield JSON.parse(data);
    }
  }
}
