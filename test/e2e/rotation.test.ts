import { createHmac, timingSafeEqual } from "node:crypto";
import { createHandler, defineTool } from "@yagate/handler";
import { toExpress } from "@yagate/handler/express";
import express from "express";
import { Webhook } from "standardwebhooks";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { calls, listen, type RawCall, startRawService, toolAt } from "./support/services.ts";
import { acceptedBy, VERIFIERS } from "./support/verifiers.ts";
import { openWorld, type World } from "./support/world.ts";

const EVERYBODY = Object.keys(VERIFIERS);
const TURNS = [calls("lookup_order"), { text: "done" }];
const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

/** A service that keeps what arrives, behind a tool that a test may change. */
async function openCaptor(world: World, change: Parameters<typeof toolAt>[1] = {}) {
  const service = await startRawService((response) => void response.json({ result: 1 }));
  const agent = await world.createAgent([toolAt(service.url, change)]);
  return {
    url: service.url,
    async capture(): Promise<RawCall> {
      const { id } = await world.client.agents.execute(agent.id, { input: "go", script: { turns: TURNS } });
      const call = service.calls.find(({ body }) => JSON.parse(body.toString()).executionId === id);
      if (call === undefined) throw new Error("expected a call");
      return call;
    },
  };
}

/** A service with the kit, and how a call of it ends. */
async function openKit(world: World, options: { readonly secrets: readonly string[]; readonly audience?: string }) {
  const app = express();
  const url = `${await listen(app)}/tools`;
  const tool = defineTool({
    name: "lookup_order",
    description: "Look up an order.",
    parameters: z.object({ orderId: z.string() }),
    execute: async () => "shipped",
  });
  const { secrets, audience } = options;
  const expected = audience === undefined ? {} : { audience: audience.replace("OWN", url) };
  app.post("/tools", toExpress(createHandler({ secrets, tools: [tool], logger: SILENT, ...expected })));
  return {
    url,
    async call(at = url, change: Parameters<typeof toolAt>[1] = {}): Promise<unknown> {
      const [call] = (await world.play([toolAt(at, change)], TURNS)).toolCalls;
      return call?.error === undefined ? call?.result : `${call.error.message} ${call.error.developerMessage}`;
    },
  };
}

function entriesOf({ headers }: RawCall): readonly string[] {
  return (headers["x-ya-signature"] ?? "").split(",");
}

/** As verifiers of the GitHub kind do it: the whole header, one secret. */
function isWholeHeader({ headers, body }: RawCall, secret: string): boolean {
  const expected = Buffer.from(`sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
  const given = Buffer.from(headers["x-ya-signature"] ?? "");
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function isStandard({ headers, body }: RawCall, secret: string): boolean {
  try {
    new Webhook(secret).verify(body.toString(), { ...headers });
    return true;
  } catch {
    return false;
  }
}

describe("a tool that names its own signing secret", () => {
  it("is signed with that one only, so that nobody who holds another can forge its calls", async () => {
    const world = await openWorld();
    const { secret: billing } = await world.client.signingSecrets.rotate({ name: "billing" });
    const named = await (await openCaptor(world, { signingSecret: "billing" })).capture();
    const other = await (await openCaptor(world)).capture();
    expect([entriesOf(named).length, entriesOf(other).length]).toEqual([1, 1]);
    expect(await acceptedBy(named, billing)).toEqual(EVERYBODY);
    expect(await acceptedBy(named, world.secret)).toEqual([]);
    expect(await acceptedBy(other, world.secret)).toEqual(EVERYBODY);
    expect(await acceptedBy(other, billing)).toEqual([]);
  });

  it("has its answers judged by that one only", async () => {
    const world = await openWorld();
    const { secret: billing } = await world.client.signingSecrets.rotate({ name: "billing" });
    const kit = await openKit(world, { secrets: [billing] });
    const strict = { requireSignedAnswer: true };
    expect(await kit.call(kit.url, { ...strict, signingSecret: "billing" })).toBe("shipped");
    expect(await kit.call(kit.url, strict)).toMatch(/its signature is wrong|must be signed/);
  });

  it("is refused when it is saved, as long as nobody has made that secret", async () => {
    const world = await openWorld();
    const tool = toolAt("http://127.0.0.1:1/tools", { signingSecret: "billing" });
    await expect(world.createAgent([tool])).rejects.toMatchObject({ code: "INVALID_REQUEST" });
    await world.client.signingSecrets.rotate({ name: "billing" });
    expect((await world.createAgent([tool])).tools).toHaveLength(1);
  });
});

describe("the audience of a call", () => {
  it.each(["", "?tenant=7", "/", "/./"])("is the handler's URL as it was saved: …%s", async (end) => {
    const world = await openWorld();
    const service = await startRawService((response) => void response.json({ result: 1 }));
    const saved = service.url + end;
    await world.play([toolAt(saved)], TURNS);
    expect(JSON.parse(service.calls[0]?.body.toString() ?? "").audience).toBe(saved);
  });

  it("lets a kit refuse calls that were signed for another handler", async () => {
    const world = await openWorld();
    const kit = await openKit(world, { secrets: [world.secret], audience: "OWN" });
    expect(await kit.call()).toBe("shipped");
    expect(await kit.call(`${kit.url}?for=another`)).toMatch(/audience/);
  });
});

describe("a rotation with overlap", () => {
  it("signs with both at once, newest first in both headers", async () => {
    const world = await openWorld();
    const captor = await openCaptor(world);
    await captor.capture();
    const { secret: next } = await world.client.signingSecrets.rotate({ overlapSeconds: 3_600 });
    const call = await captor.capture();
    for (const secret of [next, world.secret]) expect(await acceptedBy(call, secret)).toEqual(EVERYBODY);
    const signatures = (call.headers["webhook-signature"] ?? "").split(" ");
    const alone = (entry: number): RawCall => ({
      ...call,
      headers: {
        ...call.headers,
        "x-ya-signature": entriesOf(call)[entry] ?? "",
        "webhook-signature": signatures[entry] ?? "",
      },
    });
    expect([isWholeHeader(alone(0), next), isStandard(alone(0), next)]).toEqual([true, true]);
    expect([isWholeHeader(alone(1), world.secret), isStandard(alone(1), world.secret)]).toEqual([true, true]);
    expect([signatures.length, entriesOf(call).length]).toEqual([2, 2]);
  });

  it("lets the older one go when its time is over", async () => {
    const world = await openWorld();
    const captor = await openCaptor(world);
    const { secret: next } = await world.client.signingSecrets.rotate({ overlapSeconds: 1 });
    expect(entriesOf(await captor.capture())).toHaveLength(2);
    const call = await vi.waitFor(
      async () => {
        const latest = await captor.capture();
        expect(entriesOf(latest)).toHaveLength(1);
        return latest;
      },
      { timeout: 10_000, interval: 100 },
    );
    expect(await acceptedBy(call, next)).toEqual(EVERYBODY);
    expect(isWholeHeader(call, next)).toBe(true);
    expect(await acceptedBy(call, world.secret)).toEqual([]);
  });

  it("never leaves a kit without a secret that it knows: before, while it is deployed, and after", async () => {
    const world = await openWorld();
    const before = await openKit(world, { secrets: [world.secret] });
    expect(await before.call()).toBe("shipped");
    const { secret: next } = await world.client.signingSecrets.rotate({ overlapSeconds: 3_600 });
    const during = await openKit(world, { secrets: [next, world.secret] });
    const after = await openKit(world, { secrets: [next] });
    const strict = { requireSignedAnswer: true };
    for (const kit of [before, during, after]) expect(await kit.call(kit.url, strict)).toBe("shipped");
  });

  it("has at most eight live of a name, and a ninth is refused with 409 until the older ones were cut off", async () => {
    const world = await openWorld();
    const secrets = [world.secret];
    for (let count = 2; count <= 8; count += 1) {
      secrets.unshift((await world.client.signingSecrets.rotate({ overlapSeconds: 3_600 })).secret);
    }
    const ninth = world.client.signingSecrets.rotate({ overlapSeconds: 3_600 });
    await expect(ninth).rejects.toMatchObject({ code: "CONFLICT", status: 409 });
    const captor = await openCaptor(world);
    const call = await captor.capture();
    expect(entriesOf(call)).toHaveLength(8);
    const oldest = secrets.at(-1) ?? "";
    expect(await VERIFIERS["the handler kit"](call, oldest)).toBe(true);
    expect(await VERIFIERS["standardwebhooks from npm"](call, oldest)).toBe(true);
    const kit = await openKit(world, { secrets: [oldest] });
    expect(await kit.call()).toBe("shipped");

    const { secret: next } = await world.client.signingSecrets.rotate({ overlapSeconds: 0 });
    const alone = await captor.capture();
    expect([entriesOf(alone).length, isWholeHeader(alone, next)]).toEqual([1, true]);
    expect(await kit.call()).toMatch(/401|SIGNATURE_MISMATCH/);
  });
});

describe("a rotation without overlap", () => {
  it("counts from the moment at which it was answered, whatever is going on", async () => {
    const world = await openWorld();
    const captor = await openCaptor(world);
    let latest = world.secret;
    for (let round = 0; round < 5; round += 1) {
      // Calls that are being signed at the same moment must not bring back what they have read before.
      const meanwhile = [captor.capture(), captor.capture()];
      const rotated = await world.client.signingSecrets.rotate({ overlapSeconds: 0 });
      const call = await captor.capture();
      expect([isWholeHeader(call, rotated.secret), isWholeHeader(call, latest)]).toEqual([true, false]);
      latest = rotated.secret;
      await Promise.all(meanwhile);
    }
  });

  it("is one that a verifier of whole headers lives through", async () => {
    const world = await openWorld();
    const captor = await openCaptor(world);
    expect(isWholeHeader(await captor.capture(), world.secret)).toBe(true);
    const { secret: next } = await world.client.signingSecrets.rotate({ overlapSeconds: 0 });
    expect(isWholeHeader(await captor.capture(), next)).toBe(true);
  });

  it("of one name leaves the others as they are", async () => {
    const world = await openWorld();
    const { secret: billing } = await world.client.signingSecrets.rotate({ name: "billing" });
    const captor = await openCaptor(world, { signingSecret: "billing" });
    await world.client.signingSecrets.rotate({ overlapSeconds: 0 });
    expect(isWholeHeader(await captor.capture(), billing)).toBe(true);
  });
});
