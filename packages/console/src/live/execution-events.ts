import type { ReceivedEvent } from "@yagate/protocol";
import { useEffect, useState } from "react";
import { ApiError } from "../api/api-error.ts";
import { FINAL_TYPES } from "../api/final-types.ts";
import { toApiError, toUrl } from "../api/request.ts";
import { createFrameReader } from "./event-frames.ts";
import type { LiveState } from "./live.ts";
import { noteReachable, RECONNECTING_AFTER_MS } from "./reachable.ts";

/** Events that arrive together are drawn together. */
const GATHER_MS = 100;
const RETRY_MS = 1_000;

export interface FollowedEvents {
  readonly events: readonly ReceivedEvent[];
  /** Text of the model's turn that is being written. */
  readonly draft: string;
  readonly state: LiveState;
  /** Whether the first events have arrived. */
  readonly isLoaded: boolean;
  readonly hasEnded: boolean;
  readonly error: unknown;
}

const NOTHING: FollowedEvents = {
  ...{ events: [], draft: "", state: "live", isLoaded: false, hasEnded: false, error: undefined },
};

/**
 * Follows the events of an execution while the page is visible: from the first one, without gaps, until it ends.
 * @param attempt - another number starts again after an error.
 */
export function useExecutionEvents(id: string, attempt: number): FollowedEvents {
  const [followed, setFollowed] = useState<FollowedEvents>(NOTHING);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt starts again.
  useEffect(() => {
    setFollowed(NOTHING);
    return follow(id, setFollowed);
  }, [id, attempt]);
  return followed;
}

function follow(id: string, publish: (followed: FollowedEvents) => void): () => void {
  const events: ReceivedEvent[] = [];
  let draft = "";
  let state: LiveState = "live";
  let isLoaded = false;
  let hasEnded = false;
  let error: unknown;
  let stream: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let warn: ReturnType<typeof setTimeout> | undefined;

  const publishSoon = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      publish({ events: [...events], draft, state, isLoaded, hasEnded, error });
    }, GATHER_MS);
  };

  const take = (data: string) => {
    const event = JSON.parse(data);
    if (event.type === "text.delta") draft += String(event.text);
    else if (typeof event.seq === "number" && event.seq > (events.at(-1)?.seq ?? 0)) {
      events.push(event);
      if (event.type === "model.responded" || event.type === "model.failed") draft = "";
      if (FINAL_TYPES.has(event.type)) hasEnded = true;
    }
    isLoaded = true;
    publishSoon();
  };

  const read = async (signal: AbortSignal) => {
    const last = events.at(-1)?.seq;
    const headers: Record<string, string> = { Accept: "text/event-stream" };
    if (last !== undefined) headers["Last-Event-ID"] = String(last);
    const response = await fetch(toUrl(`v1/executions/${id}/events`), { headers, signal, credentials: "same-origin" });
    if (!response.ok || response.body === null) throw await toApiError(response);
    noteReachable(true);
    clearTimeout(warn);
    warn = undefined;
    state = "live";
    const frames = createFrameReader();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) frames(chunk.value).forEach(take);
    isLoaded = true;
    publishSoon();
  };

  const open = () => {
    stream?.abort();
    clearTimeout(retry);
    if (hasEnded) return;
    if (document.hidden) {
      state = "paused";
      return publishSoon();
    }
    const current = new AbortController();
    stream = current;
    read(current.signal).then(
      () => {
        if (!current.signal.aborted && !hasEnded) retry = setTimeout(open, RETRY_MS);
      },
      (reason: unknown) => {
        if (current.signal.aborted) return;
        if (!isLoaded || reason instanceof ApiError) {
          error = reason;
          return publishSoon();
        }
        noteReachable(false);
        warn ??= setTimeout(() => {
          state = "reconnecting";
          publishSoon();
        }, RECONNECTING_AFTER_MS);
        retry = setTimeout(open, RETRY_MS);
      },
    );
  };

  document.addEventListener("visibilitychange", open);
  open();
  return () => {
    document.removeEventListener("visibilitychange", open);
    for (const each of [timer, retry, warn]) clearTimeout(each);
    stream?.abort();
  };
}
