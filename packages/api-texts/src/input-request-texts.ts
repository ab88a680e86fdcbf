import type { PropertyTexts } from "./text.ts";

/** Descriptions for the questions of tools, and for the answers. */
export const INPUT_REQUEST_TEXTS: PropertyTexts = {
  "Attempt.input":
    "Present for an attempt that ended a round of questions. `required`: the tool requires input. `expired`: the server no longer accepted the state of the round, so the call started over.",
  "AttemptDetail.input":
    "Present for an attempt that ended a round of questions. `required`: the tool requires input. `expired`: the server no longer accepted the state of the round, so the call started over.",
  "AttemptFinishedEvent.input":
    "`required`: the tool requires input before it continues. `expired`: the server no longer accepts the state of the round, so the call starts over. Neither counts as a retry.",
  "ToolCallRecord.input": "The latest questions of the tool; absent if it asked nothing.",
  round: { text: "Number of the round of questions within the tool call, from 1 to 8.", example: 1 },
  "input.status": "The current status of the questions.",
  "InputRequest.status": "The current status of the questions.",
  "InputRequest.tool": "The tool that asks.",
  "InputRequest.requestedAt": "When the tool asked.",
  "InputRequest.resolution": "How the questions were resolved; null while they are pending.",
  "InputWithdrawnEvent.status": "Why the questions are no longer open.",
  questions: "The questions of the round. The MCP server wrote their texts, which are untrusted.",
  "InputRequestedEvent.questions": "The questions of the round; empty if the tool only has to be called again.",
  "questions[].key": { text: "Identifies the question within its round.", example: "colour" },
  mode: "`form`: asks for the fields of `schema`. `url`: asks the person to open a web page.",
  "questions[].message": { text: "The question.", example: "Which colour?" },
  "questions[].schema": {
    text: "For `form`: the JSON Schema of the answer's content, a flat object.",
    example: { type: "object", properties: { colour: { type: "string", enum: ["green", "blue"] } } },
  },
  "questions[].url": {
    text: "For `url`: the web page. The gateway never opens it.",
    example: "https://example.com/sign-in",
  },
  requestState: { text: "The state that the MCP server expects back, unchanged.", example: "v1.eyJyb3VuZCI6MX0" },
  "AnswerInput.answers": {
    text: "One answer per question, by the keys of the questions.",
    example: { colour: { action: "accept", content: { colour: "green" } } },
  },
  "InputReceivedEvent.answers": {
    text: "One answer per question, by the keys of the questions.",
    example: { colour: { action: "accept", content: { colour: "green" } } },
  },
  "resolution.answers": {
    text: "One answer per question, by the keys of the questions.",
    example: { colour: { action: "accept", content: { colour: "green" } } },
  },
  "answers{}.action": "What the person decided.",
  "InputAnswer.action": "What the person decided.",
  "answers{}.content": { text: "The fields of an accepted form.", example: { colour: "green" } },
  "InputAnswer.content": { text: "The fields of an accepted form.", example: { colour: "green" } },
};
