import { callIn, is, type Law } from "./law.ts";

/** What holds for deferred tools. */
export const TOOL_SEARCH_LAWS: Readonly<Record<string, Law>> = {
  "a tool is loaded once, and only if it was deferred": ({ before, event }) => {
    if (!is(event, "tools.loaded")) return;
    if (before.toolSearch === null) return "nothing is deferred";
    const known = [...before.toolSearch.shown, ...before.loadedTools.map(({ name }) => name)];
    if (new Set(event.tools).size < event.tools.length) return "twice in one event";
    return event.tools.some((name) => known.includes(name)) && "again";
  },

  "a model turn carries at most 128 tools": ({ after: { toolSearch, loadedTools } }) =>
    toolSearch !== null &&
    toolSearch.shown.length + 1 + loadedTools.length > 128 &&
    `it carries ${loadedTools.length} more`,

  "what is loaded stays loaded, in the same order": ({ before, after }) =>
    before.loadedTools.some(({ name, reason }, index) => {
      const now = after.loadedTools[index];
      return now?.name !== name || now.reason !== reason;
    }) && "it changed",

  "the deferred tools are decided when the execution starts": ({ before, after, event }) =>
    !is(event, "execution.started") && before.toolSearch !== after.toolSearch && "they changed",

  "tools are loaded by a call that has ended": ({ before, event }) => {
    if (!is(event, "tools.loaded")) return;
    const call = callIn(before, event.toolCallId);
    return call?.status !== (event.reason === "search" ? "completed" : "failed") && `it is ${call?.status}`;
  },
};
