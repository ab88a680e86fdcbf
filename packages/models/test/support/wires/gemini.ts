import { fragments, type WireContent, type WireFormat } from "./wire-format.ts";

const whole = (content: WireContent) => ({
  candidates: [
    {
      content: {
        role: "model",
        parts: [
          ...(content.text === undefined ? [] : [{ text: content.text }]),
          ...(content.calls ?? []).map((call) => ({
            functionCall: { id: call.id, name: call.name, args: JSON.parse(call.arguments) },
          })),
        ],
      },
      finishReason: { complete: "STOP", length: "MAX_TOKENS", refused: "SAFETY" }[content.end],
    },
  ],
  usageMetadata: { promptTokenCount: 11, candidatesTokenCount: 7, totalTokenCount: 18 },
});

export const gemini: WireFormat = {
  name: "Gemini",
  model: "gemini-2.5-flash",
  settings: (url) => ({ google: { apiKey: "google-test", baseUrl: url } }),
  keyVariable: "GOOGLE_GENERATIVE_AI_API_KEY",
  refusal: ({ status, message, code = "UNAVAILABLE" }) => ({ error: { code: status, message, status: code } }),
  streamedFault: ({ status, message, code = "UNAVAILABLE" }) => ({ error: { code: status, message, status: code } }),
  endingEvents: 1,
  lacks: ["broken arguments", "empty arguments"],
  whole,
  stream: ({ text = "", ...rest }) => [
    ...fragments(text).map((text) =>
      JSON.stringify({ candidates: [{ content: { role: "model", parts: [{ text }] } }] }),
    ),
    JSON.stringify(whole(rest)),
  ],
};
