import { onTestFinished } from "vitest";
import { createModels } from "../../../src/create-models.ts";
import type { ModelTurnRequest } from "../../../src/port.ts";
import { recordingFetch } from "../recording-fetch.ts";
import { startWireServer, type WireAnswer } from "../wire-server.ts";
import type { WireContent, WireFormat } from "./wire-format.ts";

/** What makes a turn streamed. */
export const listener: Pick<ModelTurnRequest, "onTextDelta"> = { onTextDelta: () => {} };

export const LOOKUP = { id: "call_a", name: "orders_lookup", arguments: '{"orderId":"ORD-1"}' };
export const QUOTE = { id: "call_b", name: "shipping_quote", arguments: '{"city":"Berlin","speed":"express"}' };

/** Models at a server that gives these answers until the test ends, and the requests that they make. */
export async function connect(wire: Pick<WireFormat, "settings">, answers: readonly WireAnswer[]) {
  const server = await startWireServer(answers);
  onTestFinished(() => server.stop());
  const { fetch, requests } = recordingFetch({ from: "https://api.openai.com", to: server.url });
  return { models: createModels({ providers: wire.settings(server.url), fetch, random: countingRandom() }), requests };
}

function countingRandom(): () => number {
  let count = 0;
  return () => (count++ * 0.618034) % 1;
}

/** What a wire answers where nobody listens. */
export const unheard = (wire: WireFormat, content: WireContent) => wire.whole?.(content) ?? wire.stream(content);

/** An answer in every form that the wire has, and what asks for it. */
export function formsOf(wire: WireFormat, content: WireContent) {
  return [
    { body: unheard(wire, content), request: {} },
    { body: wire.stream(content), request: listener },
  ];
}
