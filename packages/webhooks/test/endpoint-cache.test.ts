import { describe, expect, it } from "vitest";
import { EndpointLimiter } from "../src/endpoints/endpoint-limiter.ts";
import { EndpointCache } from "../src/endpoints/endpoint-registry.ts";

const traffic = () => new EndpointLimiter({ concurrency: 1, queue: 10 }, () => 0);

function memoryOf(maxEndpoints: number) {
  const memory = new EndpointCache(maxEndpoints);
  const use = (workspaceId: string, url: string) =>
    memory.use(workspaceId, url, () => ({ workspaceId, url, traffic: traffic(), listedAt: undefined }));
  const isKnown = (workspaceId: string, url: string) => memory.find(workspaceId, url) !== undefined;
  return { memory, use, isKnown };
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => String(index));

/** One attempt there has begun, and does not end. */
const occupy = (endpoint: { readonly traffic: EndpointLimiter }) => void endpoint.traffic.enter();

describe("the memory of endpoints", () => {
  it("gives the same one each time", () => {
    const { memory, use } = memoryOf(2);
    const first = use("a", "x");
    expect(use("a", "x")).toBe(first);
    expect(use("b", "x")).not.toBe(first);
    expect(memory.size).toBe(2);
  });

  it("forgets the one that was used longest ago, also when its breaker has counted", () => {
    const { memory, use, isKnown } = memoryOf(3);
    for (const url of ["1", "2", "3", "1"]) {
      const turn = use("a", url).traffic.enter();
      if (typeof turn === "object") turn.end("working");
    }
    use("a", "4");
    expect(["1", "2", "3", "4"].filter((url) => isKnown("a", url))).toEqual(["1", "3", "4"]);
    expect(memory.size).toBe(3);
  });

  it("keeps those that attempts are on their way to, and is as small as before when these have ended", () => {
    const { memory, use, isKnown } = memoryOf(50);
    const turns = numbered(100).map((url) => use("a", url).traffic.enter());
    for (const url of numbered(20)) use("b", url);
    expect(numbered(100).every((url) => isKnown("a", url))).toBe(true);
    for (const turn of turns) if (typeof turn === "object") turn.end("working");
    for (const url of numbered(20)) use("c", url);
    expect(memory.size).toBe(50);
  });

  it("is not kept from forgetting by many that are busy", () => {
    const { memory, use } = memoryOf(1_000);
    for (const url of numbered(500)) occupy(use("a", url));
    for (const url of numbered(5_000)) use("a", `at rest ${url}`);
    expect(memory.size).toBe(1_000);
  });

  it("takes from whoever has more than a share: a flood of one workspace costs others nothing", () => {
    const { memory, use, isKnown } = memoryOf(100);
    for (const url of numbered(30)) use("quiet", url);
    for (const url of numbered(1_000)) use("flood", url);
    expect(numbered(30).every((url) => isKnown("quiet", url))).toBe(true);
    expect(memory.size).toBe(100);
  });

  it("takes from others what they have in excess, when a workspace comes that has little", () => {
    const { memory, use, isKnown } = memoryOf(100);
    for (const url of numbered(100)) use("flood", url);
    for (const url of numbered(40)) use("new", url);
    expect(numbered(40).every((url) => isKnown("new", url))).toBe(true);
    expect(memory.size).toBe(100);
  });
});
