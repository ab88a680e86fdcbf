import { describe, expect, it } from "vitest";
import {
  askAllProviders,
  askProviders,
  createCoolDowns,
  createLedger,
} from "../../../src/search/asking/ask-providers.ts";
import { SearchFailure, type SearchProvider, type SearchQuery } from "../../../src/search/port.ts";
import { contextOf, hit, NOW, scriptedProvider } from "../support/search-world.ts";

const query: SearchQuery = { text: "pumps", maxResults: 5, allowedDomains: [], blockedDomains: [] };
const found = [hit("https://a.example/")];

function world() {
  let now = NOW;
  const coolDowns = createCoolDowns(() => now);
  return {
    pass: (ms: number) => {
      now += ms;
    },
    async ask(providers: readonly SearchProvider[], context = contextOf(), askThem = askProviders) {
      const answer = await askThem(query, context, {
        providers,
        coolDowns,
        ledger: createLedger(() => 0.005),
        now: () => now,
      });
      return { answer, told: answer.attempts.map(({ provider, outcome, reason }) => [provider, outcome, reason]) };
    },
  };
}

describe("askProviders", () => {
  it("asks the next one when one fails, and says who and why", async () => {
    const failing = scriptedProvider("one", () => new SearchFailure("unavailable", "one is currently unavailable"));
    const { answer, told } = await world().ask([
      failing,
      scriptedProvider("two", () => found),
      scriptedProvider("three", () => found),
    ]);
    expect(told).toEqual([
      ["one", "failed", "unavailable"],
      ["two", "answered", undefined],
    ]);
    expect(answer.answers).toMatchObject([{ provider: { name: "two" }, hits: found }]);
    expect(answer.attempts.map(({ usd }) => usd)).toEqual([undefined, 0.005]);
  });

  it("asks the next one when one finds nothing", async () => {
    const { told } = await world().ask([scriptedProvider("one", () => []), scriptedProvider("two", () => found)]);
    expect(told).toEqual([
      ["one", "empty", undefined],
      ["two", "answered", undefined],
    ]);
  });

  it("does not take a defect of a provider for its own", async () => {
    const broken = scriptedProvider("one", () => Promise.reject(new TypeError("secret detail")));
    const { answer, told } = await world().ask([broken, scriptedProvider("two", () => found)]);
    expect(told[0]).toEqual(["one", "failed", "unavailable"]);
    expect(JSON.stringify(answer.attempts)).not.toContain("secret detail");
  });

  it("leaves one alone for as long as it asked to be", async () => {
    const { ask, pass } = world();
    const limited = scriptedProvider(
      "one",
      () => new SearchFailure("rate_limited", "too often", { retryAfterMs: 5_000 }),
    );
    const other = scriptedProvider("two", () => found);
    await ask([limited, other]);
    pass(4_999);
    expect((await ask([limited, other])).told).toEqual([
      ["one", "skipped", "rate_limited"],
      ["two", "answered", undefined],
    ]);
    pass(1);
    await ask([limited, other]);
    expect(limited.queries).toHaveLength(2);
  });

  it("leaves one without quota alone for an hour, whatever month it names", async () => {
    const { ask, pass } = world();
    const spent = scriptedProvider(
      "one",
      () => new SearchFailure("quota_exhausted", "none left", { retryAfterMs: 1e9 }),
    );
    await ask([spent]);
    pass(3_599_999);
    expect((await ask([spent])).told).toEqual([["one", "skipped", "quota_exhausted"]]);
    pass(1);
    await ask([spent]);
    expect(spent.queries).toHaveLength(2);
  });

  it("tries one whose service did not work a moment ago when nobody else is left", async () => {
    const { ask } = world();
    let isDown = true;
    const shaky = scriptedProvider("one", () => (isDown ? new SearchFailure("unavailable", "down") : found));
    await ask([shaky]);
    isDown = false;
    expect((await ask([shaky])).told).toEqual([["one", "answered", undefined]]);
  });

  it("says why it leaves one alone, also one whose service did not work, and for how long", async () => {
    const { ask } = world();
    const down = scriptedProvider("one", () => new SearchFailure("unavailable", "one does not work (status 500)"));
    const wrong = scriptedProvider("two", () => new SearchFailure("misconfigured", "two does not accept its key"));
    const providers = [down, wrong, scriptedProvider("three", () => found)];
    await ask(providers);
    const { answer, told } = await ask(providers);
    expect(told).toEqual([
      ["two", "skipped", "misconfigured"],
      ["three", "answered", undefined],
      ["one", "skipped", "unavailable"],
    ]);
    expect(answer.attempts.map(({ message }) => message)).toEqual([
      "two does not accept its key; the next attempt is possible in 60 s",
      undefined,
      "one does not work (status 500); the next attempt is possible in 15 s",
    ]);
    const { told: untilEmpty } = await ask([down, scriptedProvider("four", () => [])]);
    expect(untilEmpty).toEqual([
      ["four", "empty", undefined],
      ["one", "skipped", "unavailable"],
    ]);
  });

  it.each(["rejected", "bad_answer"] as const)("does not leave one alone for %s", async (reason) => {
    const { ask } = world();
    const picky = scriptedProvider("one", () => new SearchFailure(reason, "no"));
    await ask([picky]);
    await ask([picky]);
    expect(picky.queries).toHaveLength(2);
  });

  it("gives each its share of the time that is left", async () => {
    const deadlines: number[] = [];
    const slow = (name: string) =>
      scriptedProvider(name, (_query, { deadline }) => {
        deadlines.push(deadline - NOW);
        return new SearchFailure("rejected", "no");
      });
    await world().ask([slow("one"), slow("two"), slow("three")], contextOf({ deadline: NOW + 6_000 }));
    await world().ask([slow("four")], contextOf({ deadline: NOW + 60_000 }));
    expect(deadlines).toEqual([2_000, 3_000, 6_000, 10_000]);
  });

  it("ends when nobody waits", async () => {
    const controller = new AbortController();
    const leaving = scriptedProvider("one", () => {
      controller.abort();
      return new SearchFailure("aborted", "gone");
    });
    const next = scriptedProvider("two", () => found);
    await expect(world().ask([leaving, next], contextOf({ signal: controller.signal }))).rejects.toMatchObject({
      reason: "aborted",
    });
    expect(next.queries).toEqual([]);
  });
});

describe("askAllProviders", () => {
  it("has the matches of all, and asks them at the same time", async () => {
    const both = Promise.withResolvers<void>();
    let asked = 0;
    const waiting = (name: string) =>
      scriptedProvider(name, async () => {
        asked += 1;
        if (asked === 2) both.resolve();
        await both.promise;
        return { hits: found };
      });
    const providers = [waiting("one"), waiting("two"), scriptedProvider("three", () => [])];
    const { answer, told } = await world().ask(providers, contextOf(), askAllProviders);
    expect(answer.answers.map(({ provider, hits }) => [provider.name, hits.length])).toEqual([
      ["one", 1],
      ["two", 1],
      ["three", 0],
    ]);
    expect(told.map(([, outcome]) => outcome)).toEqual(["answered", "answered", "empty"]);
  });

  it("goes on without those that fail, and leaves them alone as long as there are others", async () => {
    const { ask } = world();
    const down = scriptedProvider("one", () => new SearchFailure("unavailable", "down"));
    const other = scriptedProvider("two", () => found);
    const first = await ask([down, other], contextOf(), askAllProviders);
    expect(first.told.map(([name, outcome]) => [name, outcome])).toEqual([
      ["one", "failed"],
      ["two", "answered"],
    ]);
    expect((await ask([down, other], contextOf(), askAllProviders)).told[0]).toEqual(["one", "skipped", "unavailable"]);
    expect((await ask([down], contextOf(), askAllProviders)).told).toEqual([["one", "failed", "unavailable"]]);
    expect(down.queries).toHaveLength(2);
  });
});
