import type { PropertyTexts } from "./text.ts";

/** Executions, their usage, and what starts them. */
export const EXECUTION_TEXTS: PropertyTexts = {
  executionId: "The execution.",
  input: {
    text: "The question, or a conversation that ends with a message of the user.",
    example: "Where is order ORD-12345?",
  },
  "input[].role": "Who wrote the message.",
  content: { text: "Text of the message.", example: "Where is order ORD-12345?" },
  toolChoice:
    "`auto`: the model decides. `required`: the first turn must call a tool. `forbidden`: no turn may. Default `auto`.",
  "CreateExecution.scopes": {
    text: "Accepted for later versions, which will select tools by it.",
    example: ["orders"],
  },
  caller: {
    text: "Who asks, as JSON of at most 4 KiB. Every signed call carries it; the model never sees it.",
    example: { userId: "u_17" },
  },
  fallback: "The caller answers failed tool calls: each is held for it. Absent: the model reads the error at once.",
  waitMs: { text: "How long a failed call is held, in milliseconds.", example: 30_000 },
  script: "What the model `scripted/turns` plays. Required for it, refused for every other model.",
  turns: "One entry for each model turn, in order.",
  "turns[].text": { text: "What the model says in this turn.", example: "Your order has shipped." },
  "turns[].toolCalls": "The tools that the model calls in this turn.",
  "turns[].finishReason": {
    text: "`length`: the turn ends at the model's length limit, so none of its calls runs. Absent: the turn is complete.",
    example: "length",
  },
  answers: { text: "Replies to questions that tools ask the model, in order.", example: ["yes"] },
  metadata: {
    text: "JSON of the caller, at most 16 KiB. It comes back with the execution.",
    example: { ticket: "T-17" },
  },
  "Execution.status": { text: "What the execution does at the moment.", example: "completed" },
  stopReason: "Why the execution ended; the name of a limit when a limit ended it. Null before its end.",
  output: "What the execution came to. Null before its end, and where it failed.",
  "output.text": { text: "The agent's reply.", example: "Order ORD-12345 has shipped." },
  sources: "Pages and documents that the model's provider named as sources.",
  "sources[].url": {
    text: "Address of the page; absent for a document without one.",
    example: "https://example.com/shipping",
  },
  "Source.url": {
    text: "Address of the page; absent for a document without one.",
    example: "https://example.com/shipping",
  },
  "Source.title": { text: "Title of the page or document.", example: "Shipping times" },
  "Execution.error": "Why the execution failed; null unless it did.",
  usage: "Tokens and tool calls that were used.",
  cost: "What it cost.",
  usd: { text: "US dollars for tokens and priced tools.", example: 0.0021 },
  credits: { text: "Credits for calls that carried a credential.", example: 0.5 },
  "cost.isPartial": "Something without a known price was used: `usd` is the least that it cost.",
  inputTokens: { text: "Tokens that the model read.", example: 512 },
  outputTokens: { text: "Tokens that the model wrote.", example: 48 },
  cachedInputTokens: { text: "The part of the input tokens that came from the provider's cache.", example: 256 },
  cacheWriteTokens: { text: "The part of the input tokens that was written to the provider's cache.", example: 128 },
  reasoningTokens: { text: "The part of the output tokens that the model spent on reasoning.", example: 16 },
  "usage.toolCalls": { text: "Tool calls that the model asked for.", example: 1 },
  hostedToolCalls: {
    text: "Calls of tools that the model's provider ran itself. They are not part of `toolCalls`.",
    example: 1,
  },
  createdAt: "When it was created.",
  updatedAt: "When it was changed last.",
  startedAt: "When it began; null before.",
  finishedAt: "When it ended; null before.",
  expiresInSeconds: { text: "Lifetime of the token in seconds.", example: 900 },
  token: {
    text: "The token, for `Authorization: Bearer`. It is shown only in this response.",
    example: "yt_eyJhbGciOiJFZERTQSJ9",
  },
  expiresAt: "When it expires; null: never.",
  requests: { text: "Requests to the provider, repeats included.", example: 1 },
  finishReason: "How the model's reply ended. `length`: it was cut off.",
};
