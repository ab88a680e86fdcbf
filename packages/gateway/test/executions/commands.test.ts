import { expect, it } from "vitest";
import { storyAppends } from "../../../receipts/test/support/story.ts";
import { createCommands } from "../../src/executions/service/commands.ts";

it("a long log is folded page by page, and other work runs between the pages", async () => {
  const pages = storyAppends("exec_a");
  const asked: { readonly afterSeq: number; readonly turns: number }[] = [];
  let turns = 0;
  let isOver = false;
  const countTurns = () => {
    turns += 1;
    if (!isOver) setImmediate(countTurns);
  };
  setImmediate(countTurns);
  const commands = createCommands({
    eventStore: {
      async entryPage(_executionId, afterSeq) {
        asked.push({ afterSeq, turns });
        return { entries: pages[asked.length - 1] ?? [], isLast: asked.length === pages.length };
      },
      append: () => Promise.reject(new Error("expected no append")),
    },
    now: Date.now,
  });
  const state = await commands.stateOf("exec_a");
  isOver = true;
  expect(state.status).toBe("completed");
  expect(state.lastSeq).toBe(pages.flat().length);
  expect(asked.map(({ afterSeq }) => afterSeq)).toEqual(
    pages.map((_page, index) => pages.slice(0, index).flat().length),
  );
  expect(new Set(asked.map((page) => page.turns)).size).toBe(pages.length);
});
