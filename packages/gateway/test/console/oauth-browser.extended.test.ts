import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { startedLoginSchema } from "@yagate/protocol";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { launchChromium } from "../../../../test/browser/support/launch-chromium.ts";
import { startAuthorizationServer } from "../../../../test/services/authorization-server.ts";
import { findChromium } from "../../../../test/services/chromium.ts";
import { startProtectedMcpServer } from "../../../../test/services/protected-mcp-server.ts";
import { startMcpWorld } from "../http/support/mcp-world.ts";

const world = await startMcpWorld({ console: "on" });
afterAll(() => world.stop());

const executablePath = findChromium();

it.skipIf(executablePath === undefined)(
  "a browser that is signed in to the console returns from an issuer on another site without typing a code",
  async () => {
    const authorization = await startAuthorizationServer();
    const mcp = await startProtectedMcpServer(authorization);
    const auth = { oauth: { issuer: authorization.issuer, clientId: "registered" } };
    const source = await world.makeMcpSource(mcp, { auth });
    const browser = await launchChromium(executablePath);
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    await page.goto(`${world.url}/console`);
    /** Sends a request of the console's page. */
    const post = (path: string, body?: object) =>
      page.evaluate(
        async ([to, json]) => {
          const headers = { "Content-Type": "application/json" };
          const response = await fetch(to, { method: "POST", ...(json === null ? {} : { headers, body: json }) });
          return response.json();
        },
        [path, body === undefined ? null : JSON.stringify(body)] as const,
      );
    await post("/console/session", { apiKey: world.key });
    const { authorizationUrl } = startedLoginSchema.parse(await post(`/v1/tool-sources/${source.id}/login`));

    // The issuer's page, on another site than the gateway's 127.0.0.1.
    const issuer = createServer(async (_request, response) => {
      response.writeHead(302, { location: (await authorization.consent(authorizationUrl)).href }).end();
    }).listen(0, "localhost");
    await once(issuer, "listening");
    onTestFinished(() => void issuer.close());
    const { port } = issuer.address() as AddressInfo;
    await page.evaluate(`location.assign(${JSON.stringify(`http://localhost:${port}/`)})`);

    await page.getByText("You are signed in").waitFor();
    expect(await page.title()).toBe("Signed in");
    expect(await world.readSource(source.id)).toMatchObject({ status: "changed" });
  },
  60_000,
);
