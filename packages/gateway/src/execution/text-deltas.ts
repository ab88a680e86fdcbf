import type { TextDelta } from "@yagate/protocol";

/** Passes the model's text on while it is written, to whoever listens; nothing is kept. */
export interface TextDeltas {
  subscribe(executionId: string, listener: (delta: TextDelta) => void): () => void;
  /** A function to publish with, or undefined when nobody listens and streaming would be for nothing. */
  publisher(executionId: string, turn: number): ((text: string) => void) | undefined;
}

export function createTextDeltas(): TextDeltas {
  const listeners = new Map<string, Set<(delta: TextDelta) => void>>();
  return {
    subscribe(executionId, listener) {
      const known = listeners.get(executionId) ?? new Set();
      listeners.set(executionId, known.add(listener));
      return () => {
        known.delete(listener);
        if (known.size === 0) listeners.delete(executionId);
      };
    },
    publisher(executionId, turn) {
      if (!listeners.has(executionId)) return undefined;
      return (text) => {
        for (const listener of listeners.get(executionId) ?? []) {
          listener({ type: "text.delta", executionId, turn, text });
        }
      };
    },
  };
}
