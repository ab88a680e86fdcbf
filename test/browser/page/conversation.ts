import { ApiError, type StreamEvent, type ToolFailure, Yagate, YagateError } from "@yagate/client";

/** What the application's server tells its page. No part of it is an API key. */
export interface Conversation {
  readonly gatewayUrl: string;
  readonly executionId: string;
  readonly token: string;
}

/** How the page gets the token of each request. */
export type Renewal = "once" | "by the server";

/** Follows an execution and writes all that it learns into the document. */
export async function show(conversation: Conversation, renewal: Renewal): Promise<void> {
  const { gatewayUrl, executionId } = conversation;
  const client = new Yagate({ baseUrl: gatewayUrl, apiKey: keyOf(conversation, renewal) });
  try {
    const stream = client.executions.events(executionId, { onToolError: answerForTool });
    for await (const event of stream) showEvent(event);
    const { status, output, toolCalls, fallbackErrors } = await stream.result();
    const calls = toolCalls.map(({ name, status, via, result }) => ({ name, status, via, result }));
    write("result", JSON.stringify({ status, text: output?.text, calls, fallbackErrors: fallbackErrors.length }));
  } catch (error) {
    write("failure", told(error));
  }
}

/** Tries what a token is not for, and writes down what came of each. */
export async function trespass({ gatewayUrl, executionId, token }: Conversation, other: string): Promise<void> {
  const client = new Yagate({ baseUrl: gatewayUrl, apiKey: token, maxRetries: 0 });
  const attempts: Readonly<Record<string, () => Promise<unknown>>> = {
    "executions.get": () => client.executions.get(executionId),
    "executions.get of another": () => client.executions.get(other),
    "executions.events of another": () => client.executions.events(other).result(),
    "executions.toolCalls of another": () => client.executions.toolCalls(other).toArray(),
    "executions.list": () => client.executions.list().page(),
    "executions.cancel": () => client.executions.cancel(executionId),
    "executions.createToken": () => client.executions.createToken(executionId),
    "agents.list": () => client.agents.list().page(),
    "agents.start": () => client.agents.start("agt_any", { input: "hello" }),
    "agents.create": () => client.agents.create({ name: "Intruder", model: "scripted/keyword" }),
    "apiKeys.list": () => client.apiKeys.list().page(),
    "apiKeys.create": () => client.apiKeys.create({ name: "mine", scopes: ["admin"] }),
    "signingSecrets.rotate": () => client.signingSecrets.rotate(),
    "workspaces.list": () => client.workspaces.list().page(),
  };
  for (const [name, attempt] of Object.entries(attempts)) {
    add("attempts", `${name}: ${await attempt().then(() => "let in", told)}`);
  }
  write("result", "tried");
}

function keyOf({ executionId, token }: Conversation, renewal: Renewal): string | (() => Promise<string>) {
  if (renewal === "once") return token;
  let given: string | undefined = token;
  return async () => {
    const next = given ?? (await post<Conversation>(`/conversations/${executionId}/token`)).token;
    given = undefined;
    return next;
  };
}

function answerForTool({ toolName, code, parameters }: ToolFailure): { result: unknown } {
  add("questions", `${toolName} ${code} ${JSON.stringify(parameters)}`);
  return { result: { status: "unknown", source: "the page" } };
}

function showEvent(event: StreamEvent): void {
  if (event.type === "text.delta") add("pieces", event.text);
  else add("events", `${event.seq} ${event.type}`);
}

function told(error: unknown): string {
  if (ApiError.is(error)) return `${error.status} ${error.code}`;
  return YagateError.is(error) ? `${error.code}: ${error.message}; ${error.hint}` : String(error);
}

async function post<Answer>(path: string): Promise<Answer> {
  const response = await fetch(path, { method: "POST" });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.json();
}

function elementOf(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`expected an element ${id}`);
  return element;
}

function write(id: string, text: string): void {
  elementOf(id).textContent = text;
}

function add(id: string, text: string): void {
  const item = document.createElement("li");
  item.textContent = text;
  elementOf(id).append(item);
}

const [, what = "show", renewal = "once"] = location.pathname.split("/");
const conversation = await post<Conversation & { other: string }>("/conversations");
if (what === "trespass") await trespass(conversation, conversation.other);
else await show(conversation, renewal === "renewing" ? "by the server" : "once");
