import { type ChannelMessage, NotifyTextRelay } from "../../../store/src/postgres/text-relay.ts";
import { createTextDeltas, type TextDeltas } from "../../src/executions/streams/text-deltas.ts";

/** A replica as far as texts are concerned. */
export interface TextReplica {
  readonly name: string;
  readonly relay: NotifyTextRelay;
  readonly deltas: TextDeltas;
  /** Hears nothing and says nothing from now on, without a word to the others. */
  die(): void;
}

/** Replicas whose messages arrive at once, in order, at all that listen to the channel. */
export class RelayBus {
  readonly sent: ChannelMessage[] = [];
  /** Decides whether a message gets lost on its way. */
  loses: (message: ChannelMessage) => boolean = () => false;
  readonly #replicas = new Map<string, TextReplica>();

  add(name: string): TextReplica {
    const relay = new NotifyTextRelay({ replica: name, send: async (messages) => this.#send(name, messages) });
    const replica = { name, relay, deltas: createTextDeltas(relay), die: () => this.#replicas.delete(name) };
    this.#replicas.set(name, replica);
    relay.onListening();
    return replica;
  }

  /** Messages that carry text, each with the pieces in it. */
  get texts(): readonly { readonly channel: string; readonly pieces: readonly (readonly unknown[])[] }[] {
    return this.sent.flatMap(({ channel, payload }) => {
      const { kind, pieces } = JSON.parse(payload);
      return kind === "text" ? [{ channel, pieces }] : [];
    });
  }

  #send(from: string, messages: readonly ChannelMessage[]): void {
    if (!this.#replicas.has(from)) return;
    this.sent.push(...messages);
    for (const message of messages) {
      if (this.loses(message)) continue;
      for (const { relay } of this.#replicas.values()) {
        if (relay.channels.includes(message.channel)) relay.onMessage(message.payload);
      }
    }
  }
}
