import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { describe, expect, it } from "vitest";
import {
  type ErrorCode,
  generateSigningSecret,
  STANDARD_WEBHOOK_HEADERS,
  type StandardWebhookHeaders,
} from "../../src/index.ts";
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

describe.each(builds)(
  "verification of Standard Webhooks with %s",
  (_name, { signStandardWebhook, verifyStandardWebhook }) => {
    async function headersOf(...secrets: string[]): Promise<StandardWebhookHeaders> {
      const signature = await signStandardWebhook({ id: "tc_1", timestampSeconds: 1_800_000_000, body }, secrets);
      return { id: "tc_1", timestamp: "1800000000", signature };
    }

    it("takes what a library has signed, and returns its time", async () => {
      const at = new Date(1_800_000_000_000);
      for (const Library of [StandardWebhook, SvixWebhook]) {
        const headers = {
          id: "msg_1",
          timestamp: "1800000000",
          signature: new Library(current).sign("msg_1", at, text),
        };
        expect(await verifyStandardWebhook(headers, body, [stranger, current])).toBe(1_800_000_000);
      }
    });

    it("takes either secret of a rotation, beside entries of other versions", async () => {
      const { signature, ...headers } = await headersOf(current, previous);
      for (const secret of [current, previous]) {
        const received = { ...headers, signature: `v1a,AAAA ${signature} v2,x` };
        expect(await verifyStandardWebhook(received, body, [secret])).toBe(1_800_000_000);
      }
    });

    it("takes 20 entries", async () => {
      const { signature, ...headers } = await headersOf(current);
      const received = { ...headers, signature: [...Array(19).fill("v2,x"), signature].join(" ") };
      expect(await verifyStandardWebhook(received, body, [current])).toBe(1_800_000_000);
    });

    it.each<[string, Partial<StandardWebhookHeaders>, ErrorCode]>([
      ["no id", { id: undefined }, "SIGNATURE_MISSING"],
      ["no time", { timestamp: null }, "SIGNATURE_MISSING"],
      ["no signature", { signature: "" }, "SIGNATURE_MISSING"],
      ["another id", { id: "tc_2" }, "SIGNATURE_MISMATCH"],
      ["another time", { timestamp: "1800000001" }, "SIGNATURE_MISMATCH"],
      ["the id and the time cut elsewhere", { id: "tc_1.18", timestamp: "00000000" }, "SIGNATURE_MALFORMED"],
      ["a time that is no number", { timestamp: "18e8" }, "SIGNATURE_MALFORMED"],
      ["a signature of another version", { signature: `v2,${"A".repeat(43)}=` }, "SIGNATURE_MALFORMED"],
      ["a signature that is too short", { signature: "v1,AAAA" }, "SIGNATURE_MALFORMED"],
      ["a signature in hex", { signature: `v1,${"a".repeat(64)}` }, "SIGNATURE_MALFORMED"],
      [
        "too many entries",
        {
          signature: Array(21)
            .fill(`v1,${"A".repeat(43)}=`)
            .join(" "),
        },
        "SIGNATURE_MALFORMED",
      ],
    ])("refuses %s", async (_case, change, code) => {
      const headers = { ...(await headersOf(current)), ...change };
      await expect(verifyStandardWebhook(headers, body, [current])).rejects.toMatchObject({ code });
    });

    it("refuses another body, another secret, no secret and a body that was parsed", async () => {
      const headers = await headersOf(current);
      const parsed: unknown = { a: 1 };
      const attempts: [unknown, string[], ErrorCode][] = [
        [new TextEncoder().encode(`${text} `), [current], "SIGNATURE_MISMATCH"],
        [body, [stranger], "SIGNATURE_MISMATCH"],
        [body, [], "SECRET_INVALID"],
        [parsed, [current], "BODY_ALREADY_PARSED"],
      ];
      for (const [received, secrets, code] of attempts) {
        const verifying = verifyStandardWebhook(headers, received as Uint8Array, secrets);
        await expect(verifying).rejects.toMatchObject({ code });
      }
    });
  },
);
