import type { StreamEvent } from "@yagate/protocol";

const BETWEEN_TURNS = "\n\n";

/**
 * Yields the text in an execution's events, in pieces. A blank line separates model turns, and also the text that a
 * model turn repeats after it failed. If the end has its own text, as after a limit, that text is the last piece.
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
      // The whole text if nothing was streamed.
      if (event.text.startsWith(ofTurn)) yield* piece(event.text.slice(ofTurn.length));
      ofTurn = event.text;
    } else if (event.type === "execution.completed" && event.output.text !== ofTurn && event.stopReason !== "final") {
      endTurn();
      yield* piece(event.output.text);
    }
  }
}
