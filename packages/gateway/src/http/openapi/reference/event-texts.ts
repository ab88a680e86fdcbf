import type { PropertyTexts } from "./text.ts";

/** Descriptions of properties that occur only in the events of an execution. */
export const EVENT_TEXTS: PropertyTexts = {
  type: "The type of the object.",
  seq: {
    text: "Position in the execution's log, starting at 1, without gaps. Also the `id` of the server-sent event.",
    example: 4,
  },
  at: "When the event happened.",
  turn: { text: "Number of the model turn, starting at 1.", example: 1 },
  "ModelRequestedEvent.attempt": { text: "Number of the request within the model turn, starting at 1.", example: 1 },
  "ModelFailedEvent.attempt": { text: "Number of the request within the model turn, starting at 1.", example: 1 },
  "ModelRespondedEvent.attempt": { text: "Number of the request within the model turn, starting at 1.", example: 1 },
  "ModelFailedEvent.retryAt": "When the next request for this model turn is sent; null if there is none.",
  isInterruption:
    "Whether a restart of the gateway caused this event. If so, it does not count as a retry, and the downtime does not count as running time.",
  "ModelRespondedEvent.text": { text: "The complete text of the reply.", example: "Order ORD-12345 has shipped." },
  "ModelRespondedEvent.toolCalls": "The tool calls in the reply, in the model's order.",
  "ModelCall.response": "Data that the provider sent about its response; absent if it sent none.",
  "ModelRespondedEvent.response": "Data that the provider sent about its response; absent if it sent none.",
  "response.id": { text: "The provider's id for the response.", example: "chatcmpl-42" },
  "response.model": { text: "The provider's name for the model that replied.", example: "gpt-5-2025-08-07" },
  "ExecutionStartedEvent.limits": "The limits of this execution.",
  hostedCalls: "Calls to provider-run tools.",
  "HostedCall.id": { text: "The provider's id for the call.", example: "srvtoolu_01" },
  "HostedCall.name": { text: "Name of the tool.", example: "web_search" },
  "HostedCall.input": {
    text: "The arguments that the model passed, truncated if they are long.",
    example: { query: "shipping times" },
  },
  "HostedCall.output": { text: "The result, truncated if it is long.", example: { results: [] } },
  "HostedCall.status": "The status of the call. `pending`: the provider returns the result in a later model turn.",
  "HostedCall.isTruncated": "Whether `input` or `output` was truncated.",
  leakedSecrets: {
    text: "Names of secrets whose values occurred in the model's text. `***NAME***` replaces each value.",
    example: ["SHOP_KEY"],
  },
  isUntrusted: "Whether the result may contain untrusted content: text from third parties.",
  frameNonce: {
    text: "Random value in the marks of the frame around the result in the model's input.",
    example: "c7f1a4d2",
  },
  approvalId: "Id of the approval.",
  requestHash: {
    text: "Hash of the request to be sent: `sha256:` followed by 64 hexadecimal digits.",
    example: `sha256:${"0".repeat(64)}`,
  },
  "ApprovalResolvedEvent.parameters": {
    text: "The arguments that are sent instead of the model's, if the approver edited them.",
    example: { orderId: "ORD-12345" },
  },
  "ApprovalResolvedEvent.status": "How the approval was resolved.",
  attemptId: "Id of the attempt.",
  deadline: "The time at which the attempt times out.",
  "AttemptStartedEvent.mcp": {
    text: "Present for a call of a tool of an MCP server.",
    example: { method: "tools/call", server: "tickets" },
  },
  "mcp.method": { text: "The method of the protocol.", example: "tools/call" },
  "mcp.server": { text: "The name of the tool source.", example: "tickets" },
  callbackUntil: "The time until which the outcome of the asynchronous call is accepted.",
  isPending: "Whether the handler responded with 202 and will deliver the outcome later.",
  "AttemptFinishedEvent.url": {
    text: "The requested URL with its credential redacted. Present only if the URL contains a credential; otherwise, see `url` of `attempt.started`.",
    example: "https://api.example.com/orders?key=***SHOP_KEY***",
  },
  retryAt: "When the next attempt starts; absent or null if there is none.",
  fallbackUntil: "The time until which the caller may supply a fallback for the failed call.",
  isDeclined: "Whether the caller declined to supply a fallback.",
  bodyHash: {
    text: "Hash of the callback's body: `sha256:` followed by 64 hexadecimal digits.",
    example: `sha256:${"0".repeat(64)}`,
  },
  elapsedMs: { text: "Milliseconds from the time the attempt was sent to the end of the response.", example: 12_400 },
  readCharacters: {
    text: "Number of characters that the model reads. Present if the tool has a projection.",
    example: 480,
  },
  "LimitReachedEvent.limit": "The limit that was reached.",
  "ExecutionWaitingEvent.reason": "The reason for the wait.",
  until: "The latest time at which the wait ends.",
  isCostUnknown: "Whether tools may have made model calls of unknown cost before a restart.",
  "TextDeltaEvent.text": {
    text: "A part of the model's text. It is not stored: `model.responded` contains the complete text.",
    example: "Order ",
  },
};
