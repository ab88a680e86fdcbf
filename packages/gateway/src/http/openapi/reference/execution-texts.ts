import type { PropertyTexts } from "./text.ts";

/** Executions, their usage, and the requests that start them. */
export const EXECUTION_TEXTS: PropertyTexts = {
  executionId: "The execution.",
  input: {
    text: "The user's message, or a conversation that ends with one.",
    example: "Where is order ORD-12345?",
  },
  "input[].role": "Who wrote the message.",
  content: { text: "The text of the message.", example: "Where is order ORD-12345?" },
  toolChoice:
    "`auto`: the model decides. `required`: the first turn must call a tool. `forbidden`: no turn may call one. Default `auto`.",
  "CreateExecution.scopes": {
    text: "Accepted, but without effect in this version.",
    example: ["orders"],
  },
  caller: {
    text: "Identifies the caller: JSON of at most 4 KiB. Every signed call carries it; the model never sees it.",
    example: { userId: "u_17" },
  },
  fallback:
    "Lets the caller answer failed tool calls: each is held until it does. If omitted, the model reads the error at once.",
  waitMs: { text: "How long a failed call is held, in milliseconds.", example: 30_000 },
  script: "The script that the model `scripted/turns` plays. Required for that model, refused for every other.",
  turns: "The scripted turns, in order.",
  "turns[].text": { text: "What the model says in this turn.", example: "Your order has shipped." },
  "turns[].toolCalls": "The tools that the model calls in this turn.",
  "turns[].finishReason": {
    text: "`length`: the turn ends at the model's length limit, so none of its calls runs. Default: the turn is complete.",
    example: "length",
  },
  answers: { text: "Replies to model calls of tools, in order.", example: ["yes"] },
  metadata: {
    text: "The caller's own JSON, at most 16 KiB. It is returned with the execution.",
    example: { ticket: "T-17" },
  },
  "Execution.status": { text: "The current status of the execution.", example: "completed" },
  stopReason: "Why the execution ended, or the name of the limit that ended it. Null until it ends.",
  output: "The result of the execution. Null until it ends, and if it failed.",
  "output.text": { text: "The agent's reply.", example: "Order ORD-12345 has shipped." },
  sources: "Pages and documents that the model's provider cited.",
  "sources[].url": {
    text: "URL of the page; absent for a document without one.",
    example: "https://example.com/shipping",
  },
  "Source.url": {
    text: "URL of the page; absent for a document without one.",
    example: "https://example.com/shipping",
  },
  "Source.title": { text: "Title of the page or document.", example: "Shipping times" },
  "Execution.error": "Why the execution failed; null if it did not.",
  usage: "Tokens and tool calls used.",
  cost: "The cost.",
  usd: { text: "US dollars for tokens and priced tools.", example: 0.0021 },
  credits: { text: "Credits for calls that carried a credential.", example: 0.5 },
  "cost.isPartial": "Whether something without a known price was used, which makes `usd` a lower bound.",
  inputTokens: { text: "Tokens that the model read.", example: 512 },
  outputTokens: { text: "Tokens that the model wrote.", example: 48 },
  cachedInputTokens: { text: "The part of the input tokens that came from the provider's cache.", example: 256 },
  cacheWriteTokens: { text: "The part of the input tokens that was written to the provider's cache.", example: 128 },
  reasoningTokens: { text: "The part of the output tokens that the model spent on reasoning.", example: 16 },
  "usage.toolCalls": { text: "Tool calls that the model requested.", example: 1 },
  hostedToolCalls: {
    text: "Tool calls that the model's provider ran itself. `toolCalls` does not include them.",
    example: 1,
  },
  createdAt: "When it was created.",
  updatedAt: "When it was last changed.",
  startedAt: "When it started; null until then.",
  finishedAt: "When it ended; null until then.",
  expiresInSeconds: { text: "Lifetime of the token in seconds.", example: 900 },
  token: {
    text: "The token, for `Authorization: Bearer`. It is shown only in this response.",
    example: "yt_eyJhbGciOiJFZERTQSJ9",
  },
  expiresAt: "When it expires; null if never.",
  requests: { text: "Requests to the provider, including retries.", example: 1 },
  finishReason: "Why the model's reply ended. `length`: it was cut off.",
};
