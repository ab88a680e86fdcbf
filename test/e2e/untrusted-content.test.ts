import type { Script } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { openShop, type Policy, READ, WRITE } from "./support/untrusted-shop.ts";

describe("a declared write after untrusted content was read", () => {
  it("asks a person, who is told why; the record marks what was read", async () => {
    const shop = await openShop();
    const id = await shop.play([shop.rest(), shop.write()]);
    const [approval] = await shop.pending();
    const origin = new URL(shop.api.url).origin;
    const policyReason = `after reading untrusted content (${origin} through news.read), the model needs an approval for tools of the risk class idempotent_write`;
    expect(approval).toMatchObject({ executionId: id, tool: { name: "note_order" }, policyReason });
    expect(shop.own.calls).toEqual([]);
    const calls = await shop.client.executions.toolCalls(id).toArray();
    expect(calls.map(({ name, isUntrusted, policyDecision }) => [name, isUntrusted, policyDecision?.decision])).toEqual(
      [
        ["news.read", true, "allowed"],
        ["note_order", undefined, "approval_required"],
      ],
    );

    await shop.client.approvals.approve(approval?.id ?? "");
    for await (const { type } of shop.client.executions.events(id)) if (type === "execution.completed") break;
    expect(shop.own.calls).toHaveLength(1);
    const account = (await shop.client.executions.receipt(id)).account.map(({ text }) => text).join("\n");
    expect(account).toContain(`approval required (${policyReason})`);
  });

  it("asks over a restart, because the journal says what was read", async () => {
    const shop = await openShop();
    const turns: Script["turns"] = [
      { toolCalls: [READ] },
      { toolCalls: [{ name: "cancel", parameters: { orderId: "ORD-1" } }] },
      { toolCalls: [WRITE] },
      { text: "Done." },
    ];
    const cancel = shop.write({ name: "cancel", sideEffect: "destructive" });
    const id = await shop.play([shop.rest(), shop.write(), cancel], turns);
    const [first] = await shop.pending();
    expect(first).toMatchObject({ tool: { name: "cancel" } });
    await shop.restart();
    await shop.client.approvals.approve(first?.id ?? "");
    for await (const { type } of shop.client.executions.events(id)) {
      if (type === "execution.completed") break;
      if (type === "approval.requested" && (await shop.pending()).length > 0) break;
    }
    expect(await shop.pending()).toMatchObject([
      { tool: { name: "note_order" }, policyReason: expect.stringMatching(/^after reading /) },
    ]);
    await shop.client.executions.cancel(id);
  });

  it("asks when what was read was the answer of a failure", async () => {
    const shop = await openShop({ status: 404 });
    await shop.play([shop.rest(), shop.write()]);
    expect(await shop.pending()).toHaveLength(1);
  });
});

describe("nobody is asked", () => {
  it.each<[string, { rest?: object; write?: object; policy?: Policy; turns?: Script["turns"] }]>([
    ["about a tool that declares nothing", { write: { sideEffect: undefined } }],
    ["about a read", { write: { sideEffect: "read_only" } }],
    ["where the tool says never", { write: { approval: "never" } }],
    ["where the agent says never", { policy: { approval: "never" } }],
    ["where the agent allows it", { policy: { untrusted: "allow" } }],
    ["where the source is trusted", { rest: { trusted: true } }],
    [
      "about a call that was asked for before anything was read",
      { turns: [{ toolCalls: [READ, WRITE] }, { text: "Done." }] },
    ],
    [
      "where nothing was read, as what was asked for was refused before it was sent",
      { rest: { url: "https://nowhere.invalid/news" } },
    ],
  ])("%s", async (_name, { rest, write, policy, turns }) => {
    const shop = await openShop();
    const id = await shop.play([shop.rest(rest), shop.write(write)], turns, policy);
    expect(await shop.client.executions.get(id)).toMatchObject({ status: "completed", output: { text: "Done." } });
    expect(shop.own.calls).toHaveLength(1);
    expect(await shop.pending()).toEqual([]);
  });
});

it("the mode of an agent survives changes of the rest of its policy", async () => {
  const shop = await openShop();
  const agent = await shop.client.agents.create({
    name: "Desk",
    model: "scripted/turns",
    policy: { untrusted: "allow" },
  });
  const changed = await shop.client.agents.update(agent.id, { policy: { network: true } });
  expect(changed.policy).toMatchObject({ untrusted: "allow", network: true });
});

it("pages never lead into the networks that the operator has opened", async () => {
  const shop = await openShop();
  const urls = [
    shop.api.url,
    "https://127.0.0.1/",
    "https://169.254.169.254/latest/",
    "https://localhost/",
    "file:///etc/passwd",
  ];
  const turns: Script["turns"] = [
    { toolCalls: urls.map((url) => ({ name: "url_fetch", parameters: { url } })) },
    { toolCalls: [WRITE] },
    { text: "Done." },
  ];
  const id = await shop.play([{ builtin: "url_fetch" }, shop.write()], turns, { network: false });
  const calls = await shop.client.executions.toolCalls(id).toArray();
  expect(calls.map(({ error }) => error?.code)).toEqual([
    "URL_BLOCKED",
    "DNS_BLOCKED",
    "DNS_BLOCKED",
    "URL_BLOCKED",
    "URL_BLOCKED",
    undefined,
  ]);
  expect(shop.api.requests).toEqual([]);
  // Nothing was read, so nobody is asked.
  expect(shop.own.calls).toHaveLength(1);
});
