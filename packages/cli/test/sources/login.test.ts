import { Yagate } from "@yagate/client";
import { afterAll, expect, it } from "vitest";
import { startAuthorizationServer } from "../../../../test/services/authorization-server.ts";
import { startProtectedMcpServer } from "../../../../test/services/protected-mcp-server.ts";
import { startSourceWorld } from "../support/source-world.ts";

const { env, sources, stop } = await startSourceWorld();
const api = new Yagate({ baseUrl: env["YAGATE_BASE_URL"] ?? "", apiKey: env["YAGATE_API_KEY"] ?? "" });
afterAll(stop);

async function makeSource(name: string) {
  const authorization = await startAuthorizationServer();
  const { url } = await startProtectedMcpServer(authorization);
  const auth = { oauth: { issuer: authorization.issuer, clientId: "registered" } };
  await api.sources.create({ name, kind: "mcp", url, auth });
  /** Signs in with a browser. @returns the code that it shows. */
  async function openBrowser(authorizationUrl: string): Promise<string> {
    const page = await (await fetch(await authorization.consent(authorizationUrl))).text();
    return /<strong>(.+)<\/strong>/.exec(page)?.[1] ?? "";
  }
  return { authorization, openBrowser };
}

it("prints the issuer's page without a terminal, and confirms the sign-in with the code", async () => {
  const { authorization, openBrowser } = await makeSource("tickets");
  const started = await sources("login", "tickets");
  expect(started).toMatchObject({
    status: 0,
    stderr: expect.stringMatching(/^Open the URL .* sources login tickets --code <code>\n$/),
  });
  const authorizationUrl = started.stdout.trim();
  expect(authorizationUrl.startsWith(`${authorization.issuer}/authorize?`)).toBe(true);
  const code = await openBrowser(authorizationUrl);
  expect(await sources("login", "tickets", "--code", "2222-2222")).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("expected the code that the browser showed"),
  });
  expect(await sources("login", "tickets", "--code", code)).toMatchObject({
    ...{ status: 0, stdout: "Signed in to tickets: 1 tool, held.\n" },
  });
  expect(await sources("login", "tickets", "--code", code)).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("no sign-in that this API key started is waiting for a code"),
  });
});

it("prints documents with --json", async () => {
  const { openBrowser } = await makeSource("issues");
  const { authorizationUrl } = JSON.parse((await sources("login", "issues", "--json")).stdout);
  const code = await openBrowser(authorizationUrl);
  const { stdout } = await sources("login", "issues", "--code", code, "--json");
  expect(JSON.parse(stdout)).toMatchObject({ name: "issues", status: "changed" });
});

it("says what prevents a sign-in", async () => {
  await makeSource("refused");
  const { id = "" } = (await api.sources.list().toArray()).find(({ name }) => name === "refused") ?? {};
  await api.sources.update(id, { auth: { oauth: { issuer: "https://login.example.com" } } });
  const refused = await sources("login", "refused");
  expect(refused).toMatchObject({ status: 1, stdout: "" });
  expect(refused.stderr).toContain("the MCP server's metadata does not name the issuer of the source");
});

it("adds a source that a person signs in to", async () => {
  const authorization = await startAuthorizationServer();
  const { url } = await startProtectedMcpServer(authorization);
  const options = ["--kind", "mcp", "--name", "added", "--issuer", authorization.issuer, "--client-id", "registered"];
  const added = await sources("add", url, ...options, "--scope", "a", "--scope", "b");
  expect(added).toMatchObject({
    status: 1,
    stdout: expect.stringContaining("SOURCE_UNAUTHORIZED: the tool source is not signed in to its MCP server"),
    stderr: expect.stringMatching(/^Sign in: .* sources login added\n$/),
  });
  const { stdout } = await sources("login", "added");
  expect(new URL(stdout.trim()).searchParams.get("scope")).toBe("a b");
});

it.each<[string, readonly string[], string]>([
  [
    "two identities",
    ["--issuer", "https://login.example.com", "--credential", "KEY"],
    "either --credential or --issuer",
  ],
  ["a client without an issuer", ["--client-id", "yagate"], "expected --issuer"],
  ["an issuer that is no URL", ["--issuer", "login"], "--issuer"],
])("refuses %s", async (_name, options, message) => {
  const refused = await sources("add", "https://mcp.example.com/mcp", "--kind", "mcp", "--name", "no", ...options);
  expect(refused).toMatchObject({ status: 2, stdout: "", stderr: expect.stringContaining(message) });
});
