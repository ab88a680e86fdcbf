import { connectionFailed } from "../errors/connection-failed.ts";
import type { OpenAnswer } from "../http/transport.ts";
import type { Runtime } from "../runtime.ts";
import { EventStreamParser, type ServerSentEvent } from "./event-stream-parser.ts";

/** A connection without data for this long counts as broken. The gateway sends data at least every 15 s. */
const STALL_MS = 45_000;

/**
 * Reads the messages of a response until the response ends, then closes the connection.
 *
 * @throws YagateError `CONNECTION_FAILED` if the connection breaks, or if nothing arrives for {@link STALL_MS}; the
 *   signal's reason if the caller aborts.
 */
export async function* readMessages(
  answer: OpenAnswer,
  { origin, runtime }: { origin: string; runtime: Runtime },
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const { body } = answer.response;
  const reader = body?.getReader();
  const parser = new EventStreamParser();
  try {
    while (reader !== undefined) {
      const stopTimer = runtime.after(STALL_MS, () =>
        answer.close(connectionFailed(`no data for ${STALL_MS / 1_000} s from`, origin)),
      );
      const chunk = await reader.read().finally(stopTimer);
      if (chunk.done) return;
      yield* parser.push(chunk.value);
    }
  } catch (error) {
    throw answer.toFailure(error);
  } finally {
    answer.close();
  }
}
