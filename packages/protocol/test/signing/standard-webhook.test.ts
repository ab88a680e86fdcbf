import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { describe, expect, it } from "vitest";
import { type ErrorCode, generateSigningSecret, STANDARD_WEBHOOK_HEADERS } from "../../src/index.ts";
import { builds } from "./builds.ts";

const text = '{"toolCallId":"tc_1","note":"Zürich ☃"}';
const body = new TextEncoder().encode(text);
const [current, previous, stranger] = [generateSigningSecret(), generateSigningSecret(), generateSigningSecret()];

const libraries: [name: string, Library: typeof StandardWebhook | typeof SvixWebhook][] = [
  ["standardwebhooks", StandardWebhook],
  ["svix", SvixWebhook],
];

describe.each(builds)("%s", (_name, { signStandardWebhook }) => {
  async function headersOf(secrets: string[]): Promise<Record<string, string>> {
    // The libraries read the machine's clock.
    const webhook = { id: "tc_1", timestampSeconds: Math.floor(Date.now() / 1000), body };
    return {
      [STANDARD_WEBHOOK_HEADERS.id]: webhook.id,
      [STANDARD_WEBHOOK_HEADERS.timestamp]: String(webhook.timestampSeconds),
      [STANDARD_WEBHOOK_HEADERS.signature]: await signStandardWebhook(webhook, secrets),
    };
  }

  it.each(libraries)("is accepted by %s, with either secret of a rotation", async (_library, Library) => {
    const headers = await headersOf([current, previous]);
    expect(() => new Library(current).verify(text, headers)).not.toThrow();
    expect(() => new Library(previous).verify(text, headers)).not.toThrow();
  });

  it.each(libraries)("is refused by %s when a byte, the secret or the id is another", async (_library, Library) => {
    const headers = await headersOf([current, previous]);
    expect(() => new Library(current).verify(text.replace("tc_1", "tc_2"), headers)).toThrow();
    expect(() => new Library(stranger).verify(text, headers)).toThrow();
    expect(() => new Library(current).verify(text, { ...headers, "webhook-id": "tc_2" })).toThrow();
  });

  it.each<[string, Partial<{ id: string; timestampSeconds: number; secrets: string[] }>, ErrorCode]>([
    ["an id with a dot", { id: "tc_1.5" }, "PAYLOAD_INVALID"],
    ["half a second", { timestampSeconds: 0.5 }, "PAYLOAD_INVALID"],
    ["a time before the epoch", { timestampSeconds: -1 }, "PAYLOAD_INVALID"],
    ["no secret", { secrets: [] }, "SECRET_INVALID"],
    ["nine secrets", { secrets: Array<string>(9).fill(current) }, "SECRET_INVALID"],
  ])("refuses to sign with %s", async (_case, { secrets = [current], ...change }, code) => {
    const signing = signStandardWebhook({ id: "tc_1", timestampSeconds: 1_800_000_000, body, ...change }, secrets);
    await expect(signing).rejects.toMatchObject({ code });
  });
});
