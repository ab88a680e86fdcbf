import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it, onTestFinished } from "vitest";
import { journal0001 } from "../src/sqlite/migrations/0001-journal.ts";
import { workspaceSecrets0002 } from "../src/sqlite/migrations/0002-workspace-secrets.ts";
import { endpointUse0003 } from "../src/sqlite/migrations/0003-endpoint-use.ts";
import { lateAnswers0004 } from "../src/sqlite/migrations/0004-late-answers.ts";
import { approvals0005 } from "../src/sqlite/migrations/0005-approvals.ts";
import { sleepingExecutions0006 } from "../src/sqlite/migrations/0006-sleeping-executions.ts";
import { recordLinks0007 } from "../src/sqlite/migrations/0007-record-links.ts";
import { workspaceTools0008 } from "../src/sqlite/migrations/0008-workspace-tools.ts";
import { integrations0009 } from "../src/sqlite/migrations/0009-integrations.ts";
import { audit0010 } from "../src/sqlite/migrations/0010-audit.ts";
import { openSqliteStore } from "../src/sqlite.ts";
import { NOW } from "./support/fixtures.ts";
import { makeTemporaryDirectory } from "./support/temporary-directory.ts";
import { expectUnbound, UNBOUND_ROWS } from "./support/unbound-rows.ts";

it("a journal of the first schema keeps its rows and gets the tables that came later", async () => {
  const directory = await makeTemporaryDirectory();
  onTestFinished(() => directory.remove());
  const dataDir = join(directory.path, "data");
  await mkdir(dataDir, { mode: 0o700 });
  const old = new DatabaseSync(join(dataDir, "journal.db"));
  old.exec(journal0001);
  old.exec("PRAGMA application_id = 1499555681; PRAGMA user_version = 1");
  old.exec(`INSERT INTO workspaces (id, name, created_at) VALUES ('ws_old', 'default', ${NOW})`);
  old.exec("INSERT INTO endpoints (id, workspace_id, url) VALUES ('ep_old', 'ws_old', 'https://shop.example/tools')");
  old.exec(
    `INSERT INTO executions VALUES ('exec_old', 'ws_old', 'agt_1', 1, NULL, 0, 1, 1, NULL, 0, 0, 'failed',
       '{"output":null,"error":{"code":"MODEL_ERROR","message":"x"}}');
     INSERT INTO executions VALUES ('exec_cut', 'ws_old', 'agt_1', 1, NULL, 0, 1, 1, NULL, 0, 0, 'completed',
       '{"stopReason":"truncated","output":{"text":"x"}}');
     INSERT INTO execution_requests VALUES ('exec_cut', '{"input":"x"}');
     INSERT INTO execution_requests VALUES ('exec_old', '{"input":"x","metadata":{"orderId":"ORD-7","n":1}}')`,
  );
  old.close();

  for (const _start of ["first", "second"]) {
    const store = await openSqliteStore({ dataDir });
    expect(await store.workspaces.findByName("default")).toEqual({
      id: "ws_old",
      name: "default",
      plan: "standard",
      createdAt: NOW,
    });
    const change = { workspaceId: "ws_old", name: "KEY", sealed: "sealed", at: NOW };
    expect(await store.workspaceSecrets.put(change, 1)).toMatchObject({ name: "KEY", createdAt: NOW });
    expect((await store.workspaceProviders.list("ws_old", { limit: 1 })).data).toEqual([]);
    expect((await store.integrations.list("ws_old", { limit: 1 })).data).toEqual([]);
    const filters = [{ errorCode: "MODEL_ERROR" }, { metadata: [{ name: "orderId", value: "ORD-7" }] }];
    for (const filter of filters) {
      expect((await store.journal.list("ws_old", { limit: 5 }, filter)).data).toMatchObject([{ id: "exec_old" }]);
    }
    const cut = await store.journal.list("ws_old", { limit: 5 }, { stopReason: "truncated" });
    expect(cut.data).toMatchObject([{ id: "exec_cut" }]);
    // As if it were used now: when it was used is not known.
    expect(await store.journal.deleteExpired(Date.now(), 100)).toBe(0);
    expect((await store.endpoints.list("ws_old", { limit: 1 })).data).toMatchObject([{ id: "ep_old" }]);
    await store.close();
  }
});

it("secrets and providers from before keys were bound to hosts are marked until they are written", async () => {
  const directory = await makeTemporaryDirectory();
  onTestFinished(() => directory.remove());
  const dataDir = join(directory.path, "data");
  await mkdir(dataDir, { mode: 0o700 });
  const old = new DatabaseSync(join(dataDir, "journal.db"));
  const steps = [
    journal0001,
    workspaceSecrets0002,
    endpointUse0003,
    lateAnswers0004,
    approvals0005,
    sleepingExecutions0006,
    recordLinks0007,
    workspaceTools0008,
    integrations0009,
    audit0010,
  ];
  for (const step of steps) old.exec(step);
  old.exec(`PRAGMA application_id = 1499555681; PRAGMA user_version = ${steps.length}`);
  for (const statement of UNBOUND_ROWS) old.exec(statement);
  old.close();
  const store = await openSqliteStore({ dataDir });
  await expectUnbound(store);
  await store.close();
});
