import { describe, expect, it } from "vitest";
import { createEndedDeletion, type ExecutionRows } from "../src/events/ended-executions.ts";

const ENDED = JSON.stringify({ finishedAt: 5 });

/** Rows of which some can't be deleted. */
function worldOf(summaries: Readonly<Record<string, string | null>>, bad: readonly string[] = []) {
  const left = new Map(Object.entries(summaries));
  let isAway = false;
  const rows: ExecutionRows = {
    async after(id, limit) {
      if (isAway) throw new Error("the database is away");
      const ids = [...left.keys()].filter((other) => other > id).slice(0, limit);
      return ids.map((other) => ({ id: other, created_at: 1, ended_summary: left.get(other) ?? null }));
    },
    namedIds: async () => [],
    async remove(ids) {
      if (isAway || ids.some((id) => bad.includes(id))) throw new Error("not this one");
      for (const id of ids) left.delete(id);
    },
  };
  return {
    left,
    rows,
    deleteEnded: createEndedDeletion(rows),
    goAwayBefore(method: "remove") {
      const perform = rows[method];
      rows[method] = (...args) => {
        isAway = true;
        return perform(...args);
      };
    },
  };
}

const BATCH = { endedBefore: 10, afterId: "", limit: 3 };

describe("deleting a batch of ended executions", () => {
  it("takes all but the one that can't be deleted, and says where to go on", async () => {
    const { deleteEnded, left } = worldOf({ a: ENDED, b: ENDED, c: ENDED, d: ENDED }, ["b"]);
    expect(await deleteEnded(BATCH)).toMatchObject({
      deleted: 2,
      failures: [{ executionId: "b", error: { message: "not this one" } }],
      nextAfterId: "c",
    });
    expect([...left.keys()]).toEqual(["b", "d"]);
  });

  it("passes over one whose summary is damaged", async () => {
    const { deleteEnded, left } = worldOf({ a: "{", b: ENDED, c: null });
    expect(await deleteEnded(BATCH)).toMatchObject({
      deleted: 1,
      failures: [{ executionId: "a", error: { code: "UNAVAILABLE" } }],
      nextAfterId: "c",
    });
    expect([...left.keys()]).toEqual(["a", "c"]);
  });

  it("blames no execution for a database that is away", async () => {
    const { deleteEnded, goAwayBefore } = worldOf({ a: ENDED, b: ENDED });
    goAwayBefore("remove");
    await expect(deleteEnded(BATCH)).rejects.toThrow("the database is away");
  });
});
