import { expect, it } from "vitest";
import { pathOfId } from "../../console/src/shell/places.ts";
import { runCheck } from "./support/run-check.ts";

const env = { YAGATE_BASE_URL: "https://yagate.example.com/" };
const ID = "01jd3v0c8me9kxt3f6r2p5q7sa";

it.each([`exec_${ID}`, `tc_${ID}`, `apr_${ID}`])(
  "prints the console's page about %s, without an API key",
  async (id) => {
    const { status, stdout } = await runCheck(["open", id], { env });
    expect({ status, stdout }).toEqual({ status: 0, stdout: `https://yagate.example.com/console${pathOfId(id)}\n` });
  },
);

it("prints the console itself, and refuses what no page shows", async () => {
  expect(await runCheck(["open"], { env })).toMatchObject({ stdout: "https://yagate.example.com/console/\n" });
  const refused = await runCheck(["open", `agt_${ID}`], { env });
  expect(refused).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("an execution, a tool call or an approval"),
  });
  expect(await runCheck(["open"])).toMatchObject({ status: 2, stderr: expect.stringContaining("YAGATE_BASE_URL") });
});
