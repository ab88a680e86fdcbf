import { useEffect, useRef, useSyncExternalStore } from "react";
import { toUrl } from "../api/request.ts";
import { noteReachable, onReachableChange, RECONNECTING_AFTER_MS, unreachableFrom } from "./reachable.ts";

export type LiveState = "live" | "reconnecting" | "paused";

/** Says that something changed. Pages read their lists again; a hint has no content of its own. */
export interface Hint {
  readonly type: string;
  readonly id?: string;
}

/** How often pages read again if the gateway has no stream of hints. */
const POLL_MS = 3_000;
/** Hints that arrive together cause one reading. */
const GATHER_MS = 250;
/** A busy workspace has hundreds of hints a second; its pages read once in this time. */
const PACE_MS = 1_000;
const RETRY_MS = 2_000;
/** The hints of the gateway's stream. */
const HINTS = ["execution.changed", "tool_call.changed", "approval.changed", "input_request.changed"] as const;

type HintListener = (hint: Hint) => void;

const hintListeners = new Set<HintListener>();
const stateListeners = new Set<() => void>();
let state: LiveState = "live";
let source: EventSource | undefined;
let hasHints = true;
let poll: ReturnType<typeof setInterval> | undefined;
let retry: ReturnType<typeof setTimeout> | undefined;
let check: ReturnType<typeof setTimeout> | undefined;

function tell(hint: Hint): void {
  for (const listener of hintListeners) listener(hint);
}

function setState(next: LiveState): void {
  if (state === next) return;
  state = next;
  for (const listener of stateListeners) listener();
}

function judge(): void {
  clearTimeout(check);
  if (document.hidden) return setState("paused");
  const since = unreachableFrom();
  if (since === undefined) return setState("live");
  const leftMs = since + RECONNECTING_AFTER_MS - Date.now();
  if (leftMs <= 0) setState("reconnecting");
  else check = setTimeout(judge, leftMs);
}

function stop(): void {
  source?.close();
  source = undefined;
  clearInterval(poll);
  poll = undefined;
  clearTimeout(retry);
}

/** Opens the one stream of this tab. Browsers allow six streams to a gateway, so hidden tabs have none. */
function start(): void {
  stop();
  judge();
  if (document.hidden || hintListeners.size === 0) return;
  if (!hasHints) {
    poll = setInterval(() => tell({ type: "poll" }), POLL_MS);
    return;
  }
  const opened = new EventSource(toUrl("v1/events"));
  let wasOpen = false;
  opened.onopen = () => {
    wasOpen = true;
    noteReachable(true);
    // What happened meanwhile is in the lists, not in the stream.
    tell({ type: "opened" });
  };
  for (const type of HINTS) opened.addEventListener(type, ({ data }) => tell(toHint(data)));
  opened.onerror = () => {
    if (opened.readyState !== EventSource.CLOSED) return noteReachable(false);
    // The gateway responded, but not with a stream: it has none, or the session has ended.
    if (!wasOpen) hasHints = false;
    retry = setTimeout(start, wasOpen ? RETRY_MS : 0);
  };
  source = opened;
}

function toHint(data: unknown): Hint {
  try {
    const { type, id } = JSON.parse(String(data));
    return { type: String(type), ...(typeof id === "string" ? { id } : {}) };
  } catch {
    return { type: "unknown" };
  }
}

document.addEventListener("visibilitychange", () => {
  start();
  if (!document.hidden) tell({ type: "visible" });
});
onReachableChange(judge);

/** Metrics and lists of tool calls contain an event at most 2 s after its hint. */
export const DERIVED_AFTER_MS = 3_000;

/**
 * Calls back when something may have changed, and returns whether the page is up to date.
 * @param onChange - gets the ids that the hints named.
 * @param paceMs - the shortest time between two calls.
 * @param againAfterMs - calls back once more so long after the last call, and after the page was opened: for what the
 *   gateway derives from events some time after their hints.
 */
export function useLive(
  onChange: (ids: ReadonlySet<string>) => void,
  paceMs = PACE_MS,
  againAfterMs?: number,
): LiveState {
  const latest = useRef(onChange);
  latest.current = onChange;
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined;
    let ids = new Set<string>();
    let readAt = 0;
    let again: ReturnType<typeof setTimeout> | undefined;
    const readAgainLater = () => {
      clearTimeout(again);
      if (againAfterMs !== undefined) again = setTimeout(() => latest.current(new Set()), againAfterMs);
    };
    readAgainLater();
    const listener: HintListener = ({ id }) => {
      if (id !== undefined) ids.add(id);
      waiting ??= setTimeout(
        () => {
          const named = ids;
          ids = new Set();
          waiting = undefined;
          readAt = Date.now();
          latest.current(named);
          readAgainLater();
        },
        Math.max(GATHER_MS, readAt + paceMs - Date.now()),
      );
    };
    hintListeners.add(listener);
    if (hintListeners.size === 1) start();
    return () => {
      clearTimeout(waiting);
      clearTimeout(again);
      hintListeners.delete(listener);
      if (hintListeners.size === 0) stop();
    };
  }, [paceMs, againAfterMs]);
  return useSyncExternalStore(
    (listener) => {
      stateListeners.add(listener);
      return () => stateListeners.delete(listener);
    },
    () => state,
  );
}
