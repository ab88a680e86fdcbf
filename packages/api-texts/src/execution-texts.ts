import type { PropertyTexts } from "./text.ts";

/** Descriptions for executions, their usage, and the requests that start them. */
export const EXECUTION_TEXTS: PropertyTexts = {
  "ChangeHint.type": {
    text: "What changed: `execution.changed`, `tool_call.changed`, `approval.changed` or `input_request.changed`. Ignore types that your code does not know.",
    example: "execution.changed",
  },
  "ChangeHint.id": {
    text: "Id of the execution that changed, or to which the tool call, the approval or the input request belongs.",
    example: "exec_01m7yj864ke00brb1mkxjenfhm",
  },
  "ChangeHint.seq": { text: "Number of the last event of the execution.", example: 7 },
  "ChangeHint.at": "When the gateway noticed the change.",
  executionId: "Id of the execution.",
  input: {
    text: "The user's message, or a conversation that ends with a user message.",
    example: "Where is order ORD-12345?",
  },
  "input[].role": "The author of the message.",
  content: { text: "The text of the message.", example: "Where is order ORD-12345?" },
  toolChoice:
    "`auto`: the model decides. `required`: the first model turn must call a tool. `forbidden`: no model turn may call a tool. Default `auto`.",
  "CreateExecution.scopes": {
    text: "The same as `routing.scopes`. If both fields are given, they must contain the same scopes.",
    example: ["orders"],
  },
  "CreateExecution.routing":
    "How to choose the capabilities that serve the execution's intents, within the bounds of the API key.",
  "Execution.routing":
    "The routing of the execution, within the bounds of the API key that started it. Absent if neither restricts anything.",
  requireCitations: "Whether the answer must cite sources that the execution has found. Default false.",
  caller: {
    text: "JSON that identifies the caller, at most 4 KiB. Every signed call contains it; the model never sees it.",
    example: { userId: "u_17" },
  },
  fallback:
    "Lets the caller supply results for failed tool calls: a failed call is held until the caller responds, for at most `waitMs`. If omitted, the model reads the error immediately.",
  waitMs: { text: "Maximum time in milliseconds for which a failed call is held.", example: 30_000 },
  script: "The script that the model `scripted/turns` plays. Required for that model, rejected for every other model.",
  turns: "The scripted turns, in order.",
  "turns[].text": { text: "The text of the model's reply in this turn.", example: "Your order has shipped." },
  "turns[].toolCalls": "The tools that the model calls in this turn.",
  "turns[].finishReason": {
    text: "`length`: the reply is cut off at the model's length limit, so its tool calls are not run. Default: the reply is complete.",
    example: "length",
  },
  fromTurn: {
    text: "The first model turn that runs again. Earlier model turns are copied with the outcomes of their calls. Default 1.",
    example: 2,
  },
  toolMode:
    "`recorded`: calls get the recorded outcomes, and none is sent. `live`: calls are sent as in a new execution. Default `recorded`.",
  "ReplayExecution.confirm": "Required for a live replay if tools of the agent may write.",
  recording:
    "Replies of the model and outcomes of tool calls that the execution uses instead of requests: nothing leaves the gateway. Only for API keys with `routing.recordings`.",
  "Recording.agent":
    "The agent that was recorded. If present, the execution is rejected with `CONFLICT` unless the agent has the same hash.",
  "agent.id": "Id of the agent; not checked.",
  "agent.version": { text: "Version of the agent; not checked.", example: 3 },
  "agent.hash": {
    text: "Hash of the model, the system prompt and the tools of the agent.",
    example: `sha256:${"6a1f".repeat(16)}`,
  },
  "ExportedRecording.agent":
    "The agent that was recorded. If present, the execution is rejected with `CONFLICT` unless the agent has the same hash.",
  "ExecutionRecording.recording": "The recording, for the field `recording` of a new execution.",
  "ExecutionRecording.input": {
    text: "The input; present only if the request asked for it.",
    example: "Where is order ORD-12345?",
  },
  "ExecutionRecording.metadata": {
    text: "The metadata; present only if the request asked for it.",
    example: { ticket: "T-17" },
  },
  "ExecutionRecording.caller": { text: "The caller; only if it was asked for.", example: { userId: "u_17" } },
  modelTurns: "The replies of the model, one per model turn, in order.",
  "modelTurns[].text": { text: "The text of the reply.", example: "Your order has shipped." },
  "modelTurns[].toolCalls": "The tools that the reply calls, in order.",
  "modelTurns[].finishReason": {
    text: "Why the reply ended. Default: `tool_calls` if it calls tools, else `stop`.",
    example: "stop",
  },
  "modelTurns[].hostedCalls": "The tools that the model's provider ran itself for this reply.",
  "modelTurns[].sources": "The sources that the provider reported for this reply.",
  "modelTurns[].usage": "The tokens of the reply, which count as usage of the execution. Default: none.",
  "modelTurns[].error": "Why there was no reply; the execution fails with this error.",
  "modelTurns[].error.code": { text: "Code of the error.", example: "MODEL_ERROR" },
  "modelTurns[].error.message": { text: "What went wrong.", example: "the provider is overloaded" },
  toolResults: "The outcomes of the tool calls. Each has either `result` or `error`.",
  "toolResults[].name": { text: "Name of the tool.", example: "lookup_order" },
  argumentsHash: {
    text: "SHA-256 of the arguments in the canonical form of RFC 8785.",
    example: `sha256:${"7b3c".repeat(16)}`,
  },
  occurrence: {
    text: "Number of the call among those with the same tool and equal arguments, from 1, in the order in which the model requested them.",
    example: 1,
  },
  "toolResults[].result": { text: "The result of the call.", example: { status: "packed" } },
  "toolResults[].error": "Why the call failed.",
  "toolResults[].error.code": { text: "Code of the error.", example: "ORDER_GONE" },
  "toolResults[].error.source": { text: "Where the error comes from. Default `handler`.", example: "handler" },
  "toolResults[].error.message": { text: "What went wrong, for the model.", example: "the order was archived" },
  "Execution.mode":
    "`recorded`: no request left the gateway, because the model's replies and the outcomes of tool calls came from a recording. `live`: the execution sent requests.",
  replayOf: "The execution that this one replays; absent if it is not a replay.",
  copiedTurns: {
    text: "Number of model turns at the start that are copied from `replayOf`; absent if there are none.",
    example: 1,
  },
  answers: { text: "Replies to the model calls that tools make, in order.", example: ["yes"] },
  metadata: {
    text: "JSON that the caller supplies, at most 16 KiB. It is returned with the execution.",
    example: { ticket: "T-17" },
  },
  "Execution.status": { text: "The current status of the execution.", example: "completed" },
  stopReason: "Why the execution ended, or the name of the limit that ended it. Null until the execution ends.",
  output: "The result of the execution. Null until the execution ends, and null if it failed.",
  "output.text": { text: "The agent's final reply.", example: "Order ORD-12345 has shipped." },
  sources: "Pages and documents that the model's provider cites as sources of the reply.",
  "sources[].url": {
    text: "URL of the page; absent for a document without one.",
    example: "https://example.com/shipping",
  },
  "Source.url": {
    text: "URL of the page; absent for a document without one.",
    example: "https://example.com/shipping",
  },
  citations: "What the answer cites, compared with what the execution has found; absent unless citations are required.",
  "Citation.id": {
    text: "The number with which the answer cites the source, such as `[1]`; absent if the answer cites it in another way.",
    example: 1,
  },
  "Citation.url": { text: "URL of the page or document.", example: "https://shop.example/shipping" },
  "Citation.artifactId": { text: "Id of the artifact.", example: "art_01m7yj864ke00brb1mkxjenfhm" },
  "Citation.title": { text: "Title of the page or document.", example: "Shipping times" },
  "Citation.passage": {
    text: "The passage that shares the most words with the answer, verbatim; absent if the source has none.",
    example: "We ship within two working days.",
  },
  "CitationsRequestedEvent.message": {
    text: "What the model reads.",
    example: "Your answer must cite a source that the tools in this conversation have found, but it cites none.",
  },
  "Source.title": { text: "Title of the page or document.", example: "Shipping times" },
  "Execution.error": "Why the execution failed; null if it did not fail.",
  usage: "Tokens and tool calls used.",
  cost: "The cost.",
  usd: { text: "Cost in US dollars of tokens and priced tools.", example: 0.0021 },
  credits: { text: "Credits charged for calls that contained a credential.", example: 0.5 },
  "cost.isPartial": "Whether the cost includes something whose price is not known, so that `usd` is a lower bound.",
  inputTokens: { text: "Tokens that the model read.", example: 512 },
  outputTokens: { text: "Tokens that the model wrote.", example: 48 },
  cachedInputTokens: { text: "The number of input tokens that were read from the provider's cache.", example: 256 },
  cacheWriteTokens: { text: "The number of input tokens that were written to the provider's cache.", example: 128 },
  reasoningTokens: { text: "The number of output tokens that the model used for reasoning.", example: 16 },
  "usage.toolCalls": { text: "Number of tool calls that the model requested.", example: 1 },
  hostedToolCalls: {
    text: "Number of tool calls that the model's provider ran itself. `toolCalls` does not include them.",
    example: 1,
  },
  createdAt: "The time of creation.",
  updatedAt: "The time of the last change.",
  startedAt: "The start time; null before the start.",
  finishedAt: "The end time; null before the end.",
  expiresInSeconds: { text: "Lifetime of the token in seconds.", example: 900 },
  token: {
    text: "The token, to send as `Authorization: Bearer`. It is shown only in this response.",
    example: "yt_eyJhbGciOiJFZERTQSJ9",
  },
  expiresAt: "The expiry time; null if there is none.",
  requests: { text: "Number of requests to the provider, including retries.", example: 1 },
  finishReason: "Why the model's reply ended. `length`: the reply was cut off at a length limit.",
};
