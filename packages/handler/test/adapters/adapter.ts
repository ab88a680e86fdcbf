import type { CallHandler } from "../../src/index.ts";

/** One HTTP message as a test sends it. */
export interface Message {
  readonly method?: string;
  /** In this order; a name may be there twice. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Sent one after another. */
  readonly chunks: readonly Uint8Array[];
}

/** What came back. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** A handler that can be reached. */
export interface Reachable {
  send(message: Message): Promise<Reply>;
  /** Sends what there is of a message that announces more, and goes away. */
  sendAndLeave(message: Message): Promise<void>;
  /** Sends a whole message, and goes away without waiting for the answer. Resolves when `leave` does. */
  sendAndLeaveWhen(message: Message, leave: Promise<unknown>): Promise<void>;
}

/** A handler that can be reached until it is closed. */
export interface Mounted extends Reachable {
  close(): Promise<void>;
}

/** A form in which a handler is reached. */
export interface Adapter {
  readonly name: string;
  /** Why a tool can't learn that its client has left; absent where it can. */
  readonly leavingUnseen?: string;
  mount(handler: CallHandler): Promise<Mounted>;
}
