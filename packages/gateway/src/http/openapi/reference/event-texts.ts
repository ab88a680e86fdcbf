import type { PropertyTexts } from "./text.ts";

/** What the events of an execution have beside what other schemas have too. */
export const EVENT_TEXTS: PropertyTexts = {
  type: "What happened, or which kind it is.",
  seq: {
    text: "Position in the execution's log, from 1, without gaps. The `id` of the server-sent event.",
    example: 4,
  },
  at: "When it happened.",
  turn: { text: "The model turn, from 1.", example: 1 },
  "ModelRequestedEvent.attempt": { text: "Which request for this turn, from 1.", example: 1 },
  "ModelFailedEvent.attempt": { text: "Which request for this turn, from 1.", example: 1 },
  "ModelRespondedEvent.attempt": { text: "Which request for this turn, from 1.", example: 1 },
  "ModelFailedEvent.retryAt": "When the model is asked again; null after the last attempt.",
  isInterruption:
    "A restart of the gateway caused it. It does not count as a retry, and the downtime not as time spent.",
  "ModelRespondedEvent.text": { text: "The whole text of the turn.", example: "Order ORD-12345 has shipped." },
  "ModelRespondedEvent.toolCalls": "The tool calls of the turn, in the model's order.",
  "ExecutionStartedEvent.limits": "The limits of this execution.",
  hostedCalls: "Tools that the model's provider ran itself.",
  "HostedCall.id": { text: "The provider's id of the call.", example: "srvtoolu_01" },
  "HostedCall.name": { text: "Name of the tool.", example: "web_search" },
  "HostedCall.input": { text: "What the model asked for, cut where it is long.", example: { query: "shipping times" } },
  "HostedCall.output": { text: "What came back, cut where it is long.", example: { results: [] } },
  "HostedCall.status": "`pending`: the provider gives the result in a later turn.",
  "HostedCall.isTruncated": "Whether `input` or `output` was cut.",
  leakedSecrets: {
    text: "Names of secrets whose values the model wrote. `***NAME***` replaces the values.",
    example: ["SHOP_KEY"],
  },
  isUntrusted: "Whether the result may contain text of third parties, which the agent's author does not trust.",
  frameNonce: { text: "Marks the frame in which the model reads the result.", example: "c7f1a4d2" },
  approvalId: "The approval.",
  requestHash: {
    text: "`sha256:` and 64 hexadecimal digits of what would be sent.",
    example: `sha256:${"0".repeat(64)}`,
  },
  "ApprovalResolvedEvent.parameters": {
    text: "The arguments that are sent instead, where a person edited them.",
    example: { orderId: "ORD-12345" },
  },
  "ApprovalResolvedEvent.status": "How the approval ended.",
  attemptId: "The attempt.",
  deadline: "When the attempt times out.",
  callbackUntil: "Until when an asynchronous result is accepted.",
  isPending: "The handler answered 202: the result comes later.",
  "AttemptFinishedEvent.url": {
    text: "What was called, where a credential belongs in the URL.",
    example: "https://api.example.com/orders?key=***SHOP_KEY***",
  },
  retryAt: "When the next attempt starts; absent or null when there is none.",
  fallbackUntil: "Until when the caller may answer the failed call.",
  isDeclined: "The caller declined to answer.",
  bodyHash: {
    text: "`sha256:` and 64 hexadecimal digits of the callback's body.",
    example: `sha256:${"0".repeat(64)}`,
  },
  elapsedMs: { text: "Milliseconds from sending the attempt to the end of the response.", example: 12_400 },
  readCharacters: { text: "Characters that the model reads, where the tool has a projection.", example: 480 },
  "LimitReachedEvent.limit": "The limit that was reached.",
  "ExecutionWaitingEvent.reason": "What the execution waits for.",
  until: "When the wait ends at the latest.",
  isCostUnknown: "Tools may have asked a model before a restart; what that cost is not known.",
  "TextDeltaEvent.text": {
    text: "A piece of the model's text. It is not kept: `model.responded` has the whole text.",
    example: "Order ",
  },
};
