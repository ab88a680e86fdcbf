import { describe, expect, it } from "vitest";
import { carryVector } from "../../src/conformance/vectors/carry-vector.ts";
import { readVectors, signatureOf } from "../../src/conformance/vectors/read-vectors.ts";
import type { World } from "../../src/conformance/vectors/world.ts";

const vectors = readVectors();
const [plain] = vectors;
if (plain === undefined) throw new Error("expected vectors");
const base = plain.body.toString("latin1");
const call: World["call"] = JSON.parse(plain.body.toString("utf8"));
const rotation = vectors.find(({ id }) => id === "rot-previous");

/** The world that the vectors were made in. */
const sameWorld: World = {
  secret: plain.secrets[0] ?? "",
  previousSecret: rotation?.secrets[1],
  foreignSecret: `whsec_${Buffer.alloc(32, 3).toString("base64")}`,
  call,
  nowMs: plain.nowMs,
  toleranceSeconds: 300,
  marginSeconds: 0,
};

/** Signed with a secret that the file does not hold. */
const STRANGERS = ["sig-other-secret", "sig-none-valid", "rot-removed"];
/** Their bodies are no calls, so that they become a part of one. */
const PARTS = ["body-odd-json", "body-reserialised", "body-invalid-utf8-swapped", "body-nfd"];

/** Other bytes change in them: which ones depends on the call. */
const CHANGED = ["sig-body-changed", "call-invalid-utf8"];

describe("a vector that is carried over to the world that it comes from", () => {
  const kept = vectors.filter(({ id }) => ![...PARTS, ...CHANGED].includes(id));

  it.each(kept.map((vector) => [vector.id, vector] as const))("%s stays as it is", (id, vector) => {
    const carried = carryVector(vector, base, { ...sameWorld, toleranceSeconds: vector.toleranceSeconds });
    if ("skipped" in carried) throw new Error(carried.skipped);
    const body = vector.body.toString("latin1").padEnd(vector.paddedToBytes ?? 0, " ");
    expect(carried.body.toString("latin1")).toBe(body);
    if (!STRANGERS.includes(id))
      expect(Object.fromEntries(carried.headers)).toEqual(Object.fromEntries(vector.headers));
  });
});

describe("a vector that is carried over to another world", () => {
  const world: World = {
    ...sameWorld,
    secret: `whsec_${Buffer.alloc(32, 5).toString("base64")}`,
    previousSecret: `whsec_${Buffer.alloc(32, 6).toString("base64")}`,
    call: { ...call, toolCallId: "tc_other", name: "ping", parameters: {}, timestamp: "2026-01-15T18:02:11.482Z" },
    nowMs: Date.parse("2026-01-15T18:02:11.482Z"),
    marginSeconds: 30,
  };

  it.each(vectors.filter(({ id }) => id !== "call-tolerance-10").map((vector) => [vector.id, vector] as const))(
    "%s has nothing left of its own",
    (id, vector) => {
      const carried = carryVector(vector, base, world);
      if ("skipped" in carried) throw new Error(carried.skipped);
      expect(carried.isGenuine).toBe(vector.expect === "accept" && id !== "body-empty");
      const digests =
        (signatureOf(vector) ?? "").match(/[0-9a-fA-F]{40,}/g)?.filter((digits) => !/^0+$/.test(digits)) ?? [];
      const header = carried.headers.get("x-ya-signature") ?? "";
      // The keys of no secret at all are the same everywhere, and so are texts that are no calls.
      const isFixed = ["body-empty", "call-array"].includes(id) || id.startsWith("key-");
      if (!isFixed) for (const digest of digests) expect(header).not.toContain(digest);
      expect(carried.body.toString("latin1")).not.toContain("lookup_order");
    },
  );

  it("is kept away from the edge of the tolerance", () => {
    const ageOf = (id: string) => {
      const vector = vectors.find((candidate) => candidate.id === id);
      const carried = vector === undefined ? { skipped: "" } : carryVector(vector, base, world);
      if ("skipped" in carried) throw new Error(id);
      return (world.nowMs - Date.parse(JSON.parse(carried.body.toString()).timestamp)) / 1000;
    };
    expect(["call-edge-old", "call-old", "call-future"].map(ageOf)).toEqual([270, 331, -331]);
  });

  it("is left out where the handler can't be what it needs", () => {
    const skipped = vectors.filter(
      (vector) => "skipped" in carryVector(vector, base, { ...world, previousSecret: undefined }),
    );
    expect(skipped.map(({ id }) => id)).toEqual(["rot-previous", "call-tolerance-10"]);
  });
});
