import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { openSqliteStore } from "../../store/src/sqlite.ts";
import { makeTemporaryDirectory } from "../../store/test/support/temporary-directory.ts";
import { receiptText } from "../src/receipt-text.ts";
import { makeAgentAndWorkspace, play, receiptsOn } from "./support/receipt-world.ts";
import { IDS } from "./support/story.ts";

const directory = await makeTemporaryDirectory();
const store = await openSqliteStore({ dataDir: directory.path });
afterAll(async () => {
  await store.close();
  await directory.remove();
});
await makeAgentAndWorkspace(store);

const textOf = async (id: string) => receiptText(await receiptsOn(store).service.receipt(IDS.workspace, id));

it("describes a complete execution", async () => {
  await play(store, "exec_story");
  expect(await textOf("exec_story")).toMatchInlineSnapshot(`
    "Receipt of the execution exec_story

    Caller:     the API key key_desk
    Agent:      agt_support, version 1, with openai/gpt-5
    Started:    2026-11-21T06:00:00.000Z
    Ended:      2026-11-21T06:00:23.000Z, completed (final)
    Usage:      510 input tokens and 60 output tokens, at least 0.2523 USD (not all of it has a known price) and 1 credit
    Tool calls: 2 completed, 1 denied
    Record:     verified: 23 entries, unchanged since they were sealed
    Chain head: f73f66bc066684b73dae35495369595b14d7342706dc04fecfcc42b5e14cc771

     1  2026-11-21T06:00:01.000Z  The API key key_desk started the agent agt_support, version 1, with the input "Where is order ORD-12345? Give the customer 20 USD back if it is late."
     2  2026-11-21T06:00:02.000Z  Model turn 1: openai/gpt-5 was called.
     3  2026-11-21T06:00:03.000Z  Model turn 1: the model requested 3 tool calls (210 input tokens and 40 output tokens, for 0.0011 USD).
     4  2026-11-21T06:00:04.000Z  The model requested lookup_order (tc_lookup) with {"orderId":"ORD-12345"}. The agent's policy: allowed (listed by the agent).
     5  2026-11-21T06:00:05.000Z  The model requested refund (tc_refund) with {"orderId":"ORD-12345","usd":20}. The agent's policy: approval required (the approval mode "writes" asks a person first).
     6  2026-11-21T06:00:06.000Z  The model requested send_mail (tc_mail) with {"to":"a@b.example","text":"\\u202edone"}. The agent's policy: denied (the agent's policy does not allow tools of the kind handler).
     7  2026-11-21T06:00:07.000Z  send_mail was blocked by the agent's policy; nothing was sent. POLICY_DENIED: send_mail may not run.
     8  2026-11-21T06:00:08.000Z  Attempt 1 of lookup_order started, to https://shop.example:8443 (POST).
     9  2026-11-21T06:00:09.000Z  Approval of refund was requested (apr_1), until 2026-11-28T06:00:09.000Z. Hash of the request: sha256:1111.
    10  2026-11-21T06:00:10.000Z  Attempt 1 of lookup_order completed with HTTP status 200 after 12 ms.
    11  2026-11-21T06:00:11.000Z  lookup_order completed: {"status":"late","by":"3 days"}.
    12  2026-11-21T06:00:12.000Z  The API key key_boss approved refund with edited arguments: {"orderId":"ORD-12345","usd":10} (hash of the request: sha256:2222). Comment: "not more than 10".
    13  2026-11-21T06:00:13.000Z  Attempt 1 of refund started, to https://shop.example:8443 (POST).
    14  2026-11-21T06:00:14.000Z  Attempt 1 of refund failed after 12 ms with HTTP status 200: DECLINED.
    15  2026-11-21T06:00:15.000Z  refund failed after 1 attempt. Its handler reported DECLINED: the bank declined. The caller of the execution may supply a fallback until 2026-11-21T06:00:45.000Z.
    16  2026-11-21T06:00:16.000Z  The execution waited for a fallback for a failed call, until 2026-11-21T06:00:45.000Z at the latest.
    17  2026-11-21T06:00:17.000Z  The caller supplied a fallback for refund: {"voucher":"V-7"}.
    18  2026-11-21T06:00:18.000Z  refund completed with a fallback from the caller of the execution: {"voucher":"V-7"}. It cost 0.25 USD and 1 credit.
    19  2026-11-21T06:00:19.000Z  Model turn 2: openai/gpt-5 was called.
    20  2026-11-21T06:00:20.000Z  Model turn 2: the model failed with MODEL_ERROR: the provider answered 503. The next attempt is at 2026-11-21T06:00:21.000Z.
    21  2026-11-21T06:00:21.000Z  Model turn 2: openai/gpt-5 was called for the 2nd time.
    22  2026-11-21T06:00:22.000Z  Model turn 2: the model replied "It is 3 days late; the customer has a voucher." (300 input tokens and 20 output tokens, for at least 0.0012 USD (not all of it has a known price)).
    23  2026-11-21T06:00:23.000Z  The execution completed. Its output: "It is 3 days late; the customer has a voucher." Total: 3 tool calls, 510 input tokens and 60 output tokens, at least 0.2523 USD (not all of it has a known price) and 1 credit.
    "
  `);
});

it("says of a record that was cut at its end that the end is missing, and not that it goes on", async () => {
  const own = await makeTemporaryDirectory();
  onTestFinished(() => own.remove());
  const before = await openSqliteStore({ dataDir: own.path });
  await makeAgentAndWorkspace(before);
  await play(before, "exec_cut");
  await before.close();
  const database = new DatabaseSync(join(own.path, "journal.db"));
  database.exec("DELETE FROM appends WHERE last_seq = 23; UPDATE executions SET last_seq = 17;");
  database.close();
  const cut = await openSqliteStore({ dataDir: own.path });
  onTestFinished(() => cut.close());
  const text = receiptText(await receiptsOn(cut).service.receipt(IDS.workspace, "exec_cut"));
  expect(text).toContain("DO NOT RELY ON THIS RECEIPT");
  expect(text).toContain("Ended:      listed as completed, but the record has no end\n");
  expect(text).toContain("Usage:      unknown: the record has no end\n");
});

it("says of an execution that goes on that its receipt is not complete", async () => {
  await play(store, "exec_open", { appends: 1, suffix: "_open" });
  expect((await textOf("exec_open")).split("\n").slice(0, 10).join("\n")).toMatchInlineSnapshot(`
    "Receipt of the execution exec_open

    Caller:     the API key key_desk
    Agent:      agt_support, version 1, with openai/gpt-5
    Started:    2026-11-21T06:00:00.000Z
    Ended:      not yet: running
    Usage:      known when the execution ends
    Tool calls: 1 denied, 2 open
    Record:     verified so far: 9 entries, unchanged since they were sealed; incomplete: the execution is in progress
    Chain head: b7e9ac025569b84c73a23d698d1750584f7dca6567167ad232e6a35155f41bf8"
  `);
});
