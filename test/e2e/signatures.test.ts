import { createHmac, timingSafeEqual } from "node:crypto";
import { generateSigningSecret } from "@yagate/protocol";
import { afterEach, describe, expect, it, vi } from "vitest";
import { calls, type RawCall, startRawService, toolAt } from "./support/services.ts";
import { acceptedBy, VERIFIERS } from "./support/verifiers.ts";
import { openWorld, type World } from "./support/world.ts";

const EVERYBODY = Object.keys(VERIFIERS);
const TURNS = [calls("lookup_order"), { text: "done" }];

/** A gateway and a function that lets it make a call and gives what arrived. */
async function openCaptor(): Promise<{ world: World; capture: () => Promise<RawCall> }> {
  const world = await openWorld();
  const service = await startRawService((response) => void response.json({ result: 1 }));
  const agent = await world.createAgent([toolAt(service.url)]);
  return {
    world,
    async capture() {
      const before = service.calls.length;
      await world.client.agents.execute(agent.id, { input: "Grüße, 世界", script: { turns: TURNS } });
      const call = service.calls[before];
      if (call === undefined) throw new Error("expected a call");
      return call;
    },
  };
}

function entriesOf({ headers }: RawCall): readonly string[] {
  return (headers["x-ya-signature"] ?? "").split(",");
}

/** As GitHub's own verifiers do it: the whole header, one secret. */
function isAcceptedByGitHubStyle({ headers, body }: RawCall, secret: string): boolean {
  const expected = Buffer.from(`sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
  const given = Buffer.from(headers["x-ya-signature"] ?? "");
  return given.length === expected.length && timingSafeEqual(given, expected);
}

afterEach(() => void vi.useRealTimers());

describe("a call of the gateway", () => {
  it("is accepted by everybody who holds its secret", async () => {
    const { world, capture } = await openCaptor();
    const call = await capture();
    expect(await acceptedBy(call, world.secret)).toEqual(EVERYBODY);
    expect(isAcceptedByGitHubStyle(call, world.secret)).toBe(true);
  });

  it.each<[string, (call: RawCall) => RawCall]>([
    ["its first byte is another", (call) => changeByte(call, 0)],
    ["a byte in its middle is another", (call) => changeByte(call, call.body.length >> 1)],
    ["its last byte is another", (call) => changeByte(call, call.body.length - 1)],
    ["a space was added", (call) => ({ ...call, body: Buffer.concat([call.body, Buffer.from(" ")]) })],
  ])("is refused by everybody when %s", async (_name, change) => {
    const { world, capture } = await openCaptor();
    expect(await acceptedBy(change(await capture()), world.secret)).toEqual([]);
  });

  it("is refused by everybody who holds another secret", async () => {
    const { capture } = await openCaptor();
    expect(await acceptedBy(await capture(), generateSigningSecret())).toEqual([]);
  });

  it("is refused by the kit and both libraries once it is old, and when it comes from the future", async () => {
    const { world, capture } = await openCaptor();
    const call = await capture();
    for (const minutes of [6, -6]) {
      vi.useFakeTimers({ toFake: ["Date"], now: call.at + minutes * 60_000 });
      // The ten lines leave the date to the second step of their page.
      expect(await acceptedBy(call, world.secret)).toEqual(["the ten lines of the documentation"]);
    }
  });
});

describe("a rotation", () => {
  it("lets the next and the previous secret verify while they overlap, newest first", async () => {
    const { world, capture } = await openCaptor();
    const { secret, previousExpiresAt } = await world.client.signingSecrets.rotate({ overlapSeconds: 3_600 });
    expect(previousExpiresAt).not.toBeNull();
    const call = await capture();
    expect(entriesOf(call)).toHaveLength(2);
    expect(await acceptedBy(call, secret)).toEqual(EVERYBODY);
    expect(await acceptedBy(call, world.secret)).toEqual(EVERYBODY);
    const newest = createHmac("sha256", secret).update(call.body).digest("hex");
    expect(entriesOf(call)[0]).toBe(`sha256=${newest}`);
    // Which is why such verifiers need a rotation without overlap.
    expect([secret, world.secret].map((each) => isAcceptedByGitHubStyle(call, each))).toEqual([false, false]);
  });

  it("without overlap leaves one entry, of the next secret", async () => {
    const { world, capture } = await openCaptor();
    await world.client.signingSecrets.rotate({ overlapSeconds: 3_600 });
    const { secret } = await world.client.signingSecrets.rotate({ overlapSeconds: 0 });
    const call = await capture();
    expect(entriesOf(call)).toHaveLength(1);
    expect(await acceptedBy(call, secret)).toEqual(EVERYBODY);
    expect(isAcceptedByGitHubStyle(call, secret)).toBe(true);
    expect(await acceptedBy(call, world.secret)).toEqual([]);
  });
});

function changeByte(call: RawCall, index: number): RawCall {
  const body = Buffer.from(call.body);
  body[index] = (body[index] ?? 0) ^ 1;
  return { ...call, body };
}
