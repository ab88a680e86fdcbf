import type { StreamEvent } from "@yagate/protocol";

const BETWEEN_TURNS = "\n\n";

/**
 * Yields the text in an execution's events, in chunks. A blank line separates the texts of two model turns, and also
 * the text of a failed request from that of its retry. If the text in the final event differs, for example because it
 * explains that a limit was reached, that text is the last chunk.
 */
export async function* streamText(events: AsyncIterable<StreamEvent>): AsyncGenerator<string, void, undefined> {
  let ofTurn = "";
  let isApart = true;
  function* piece(text: string) {
    if (text === "") return;
    if (!isApart) yield BETWEEN_TURNS;
    isApart = true;
    yield text;
  }
  const endTurn = () => {
    if (ofTurn !== "") isApart = false;
    ofTurn = "";
  };
  for await (const event of events) {
    if (event.type === "model.requested" || event.type === "model.failed") endTurn();
    else if (event.type === "text.delta") {
      yield* piece(event.text);
      ofTurn += event.text;
    } else if (event.type === "model.responded") {
      // If nothing was streamed, this is the complete text.
      if (event.text.startsWith(ofTurn)) yield* piece(event.text.slice(ofTurn.length));
      ofTurn = event.text;
    } else if (event.type === "execution.completed" && event.output.text !== ofTurn && event.stopReason !== "final") {
      endTurn();
      yield* piece(event.output.text);
    }
  }
}
