import { executionEventSchema, type StreamEvent, textDeltaSchema } from "@yagate/protocol";
import { z } from "zod";

/** One message of a stream, as it was written. */
export interface Message {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: StreamEvent;
}

const streamEventSchema = z.union([executionEventSchema, textDeltaSchema]);

/** Reads the server-sent events of an answer. */
export class EventReader {
  /** Comments, such as heartbeats. */
  readonly comments: string[] = [];
  readonly #blocks: AsyncGenerator<string, void, void>;

  constructor(response: Response) {
    this.#blocks = blocksOf(response);
  }

  /** The next message; undefined at the end. */
  async next(): Promise<Message | undefined> {
    for (;;) {
      const { value, done } = await this.#blocks.next();
      if (done) return undefined;
      const message = this.#read(value);
      if (message !== undefined) return message;
    }
  }

  /** Every message up to the end. */
  async all(): Promise<readonly Message[]> {
    const messages: Message[] = [];
    for (let message = await this.next(); message !== undefined; message = await this.next()) messages.push(message);
    return messages;
  }

  /** Reads on until a message of one of these types. */
  async until(...types: readonly string[]): Promise<Message> {
    for (let message = await this.next(); message !== undefined; message = await this.next()) {
      if (types.includes(message.data.type)) return message;
    }
    throw new Error(`expected ${types.join(" or ")} before the end of the stream`);
  }

  /** Ends the connection. */
  async leave(): Promise<void> {
    await this.#blocks.return();
  }

  #read(block: string): Message | undefined {
    const lines = block.split("\n");
    this.comments.push(...lines.filter((line) => line.startsWith(":")));
    const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
    const data = field("data");
    if (data === undefined) return undefined;
    return { id: field("id"), event: field("event"), data: streamEventSchema.parse(JSON.parse(data)) };
  }
}

async function* blocksOf(response: Response): AsyncGenerator<string, void, void> {
  if (response.body === null) throw new Error("expected a body");
  let text = "";
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    yield* blocks;
  }
}
