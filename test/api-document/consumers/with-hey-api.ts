import { client } from "../.cache/hey-api/client.gen.ts";
import { createAgent, executeAgent, executeAgentStream, getExecution } from "../.cache/hey-api/index.ts";

/** Makes an agent and executes it in both forms. */
export async function executeBoth(baseUrl: string, apiKey: string, turns: readonly string[]) {
  client.setConfig({ baseUrl, auth: apiKey });
  const made = await createAgent({ body: { name: "generated", model: "scripted/turns" }, throwOnError: true });
  const path = { id: made.data.id };
  const body = { input: "hello", script: { turns: turns.map((text) => ({ text })) } };

  const whole = await executeAgent({ path, body, headers: { Prefer: "wait=20" }, throwOnError: true });

  const { stream } = await executeAgentStream({ path, body });
  const types: string[] = [];
  let streamedText = "";
  for await (const event of stream) {
    types.push(event.type);
    if (event.type === "execution.completed") streamedText += event.output.text;
  }

  const refused = await getExecution({ path: { id: "exec_none" } });
  return { text: whole.data.output?.text, types, streamedText, refusedCode: refused.error?.code };
}
