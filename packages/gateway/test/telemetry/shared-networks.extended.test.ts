import { createdWorkspaceSchema } from "@yagate/protocol";
import { expect, it } from "vitest";
import { type LogLine, linesWhile, makeDataDir } from "./support/lines-while.ts";

const ERROR = 50;
const WARNING = 40;

const reports = (lines: readonly LogLine[]) => lines.filter(({ msg }) => msg.includes("YAGATE_WORKSPACE_CIDRS"));

it("the log names the workspaces that reach networks which were not allowlisted for them", async () => {
  const dataDir = await makeDataDir();
  const made: { readonly id: string; readonly name: string }[] = [];
  const first = await linesWhile(dataDir, async (api) => {
    for (const name of ["acme", "globex"]) {
      const { id } = createdWorkspaceSchema.parse((await api.call("createWorkspace", { body: { name } })).body);
      made.push({ id, name });
    }
  });
  // Nobody else was there at the start.
  expect(reports(first)).toMatchObject(
    made.map((one) => ({ level: ERROR, workspaces: [one], networks: ["127.0.0.0/8"] })),
  );

  const again = await linesWhile(dataDir, async () => {});
  expect(reports(again)).toMatchObject([{ level: ERROR, hasMore: false, workspaces: made.toReversed() }]);
  expect(reports(again)[0]?.msg).toMatch(/applies to all workspaces/);

  const unknown = { YAGATE_WORKSPACE_CIDRS: '{"ws_nobody":["10.0.0.0/8"]}' };
  expect(reports(await linesWhile(dataDir, async () => {}, unknown))).toMatchObject([
    { level: WARNING, workspaceId: "ws_nobody" },
  ]);
}, 60_000);
