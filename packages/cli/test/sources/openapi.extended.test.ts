import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Yagate } from "@yagate/client";
import { restToolSchema, toolSourceSchema } from "@yagate/protocol";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { startSourceWorld } from "../support/source-world.ts";

const world = await startSourceWorld();
const folder = await mkdtemp(join(tmpdir(), "yagate-documents-"));
afterAll(async () => {
  await world.stop();
  await rm(folder, { recursive: true, force: true });
});

const file = join(folder, "openapi.json");
const write = (summary: string) =>
  writeFile(
    file,
    JSON.stringify({
      openapi: "3.1.0",
      info: { title: "Shop", version: "1" },
      servers: [{ url: "https://api.shop.example" }],
      paths: { "/orders": { get: { operationId: "listOrders", summary, responses: {} } } },
    }),
  );

it("adds the document in a file, and replaces it when it is added again", async () => {
  await write("Lists orders.");
  const added = await world.sources("add", file, "--kind", "openapi", "--name", "shop", "--yes", "--json");
  expect(added.status).toBe(0);
  expect(toolSourceSchema.parse(JSON.parse(added.stdout))).toMatchObject({
    ...{ kind: "openapi", url: null, status: "ready", tools: [{ toolName: "shop.list_orders" }] },
  });
  await write("Lists all orders.");
  const again = await world.sources("add", file, "--kind", "openapi", "--name", "shop");
  expect(again.status).toBe(0);
  expect(again.stdout).toContain("Lists all orders.");
  const shown = await world.sources("show", "shop");
  expect(shown.stdout).toContain("uploaded");
  expect(shown.stdout).toMatch(/shop\.list_orders\s+changed\s+no/);
});

it("asks for a name, because a file has no URL from which it follows", async () => {
  await write("Lists orders.");
  const refused = await world.sources("add", file, "--kind", "openapi");
  expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining("--name") });
});

it("shows an operation as the other tools: its side effect, its texts and its parameters", async () => {
  await write("Lists orders.");
  const parameters = [{ name: "limit", in: "query", schema: { type: "integer" } }];
  const document = JSON.parse(await readFile(file, "utf8"));
  document.paths["/orders"].get.parameters = parameters;
  await writeFile(file, JSON.stringify(document));
  const added = await world.sources("add", file, "--kind", "openapi", "--name", "reviewed");
  expect(added.stdout).toMatch(
    /reviewed\.list_orders · new · read_only · list_orders@[0-9a-f]{16}\n {2}Lists orders\./,
  );
  expect(added.stdout).toMatch(/\n {2}parameters:\n {4}limit \(integer, .*optional\)/);
  expect(added.stdout).not.toContain('"rest"');
});

it("makes imported tools follow the operations of a source, and shows what was edited by hand", async () => {
  const client = new Yagate({ baseUrl: world.env["YAGATE_BASE_URL"] ?? "", apiKey: world.env["YAGATE_API_KEY"] ?? "" });
  const server = createServer((_request, response) => response.end("{}")).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  const api = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  await write("Lists orders.");
  const document = { ...JSON.parse(await readFile(file, "utf8")), servers: [{ url: api }] };
  await writeFile(file, JSON.stringify(document));
  const { toolkit, tools } = await client.tools.import({ openapi: document });
  const [tool] = tools;
  const id = tool?.id ?? "";
  const rest = restToolSchema.parse(tool?.definition).rest;
  await client.tools.update(id, { definition: { rest: { ...rest, description: "Written by hand." } } });
  await client.tools.test(id);
  await client.tools.validate(id);
  await client.tools.finalize(id);
  await world.sources("add", file, "--kind", "openapi", "--name", "adopting");

  const neither = await world.sources("adopt", "adopting");
  expect(neither).toMatchObject({ status: 2, stderr: expect.stringContaining("either names of tools or --toolkit") });
  const adopted = await world.sources("adopt", "adopting", "--toolkit", toolkit.name);
  expect(adopted).toMatchObject({
    ...{ status: 0, stdout: "1 tool follows adopting: 1 tool, held.\n" },
    stderr: expect.stringContaining("sources diff adopting"),
  });
  const diff = await world.sources("diff", "adopting");
  expect(diff.stdout).toMatch(/- .*Written by hand\.\n.*\+ .*Lists orders\./);
});

it("compares a document that was imported before with its tools, and names the commands that adopt them", async () => {
  const paths = { "/items": { get: { operationId: "listItems", summary: "Lists items.", responses: {} } } };
  const document = { openapi: "3.1.0", info: { title: "Stock", version: "1" }, paths };
  const stock = join(folder, "stock.json");
  const save = (summary: string) => {
    const changed = { ...paths["/items"].get, summary };
    const servers = [{ url: "https://api.stock.example" }];
    return writeFile(stock, JSON.stringify({ ...document, servers, paths: { "/items": { get: changed } } }));
  };
  const differenceOf = async () => {
    const again = await world.run("tools", "import", stock, "--json");
    expect(again.status).toBe(1);
    return JSON.parse(again.stdout);
  };
  await save("Lists items.");
  const made = await world.run("tools", "import", stock, "--json");
  const { toolkit, tools } = JSON.parse(made.stdout);
  expect(await differenceOf()).toMatchObject({
    ...{ type: "import_difference", source: null },
    tools: [{ name: "list_items", toolId: tools[0].id, isSame: true, source: null }],
    commands: [
      expect.stringContaining(`sources add ${stock} --kind openapi --name stock`),
      expect.stringContaining(`sources adopt stock --toolkit ${toolkit.id}`),
      expect.stringContaining("sources diff stock"),
      expect.stringContaining("sources accept stock --all"),
    ],
  });

  await save("Lists all items.");
  const changed = await world.run("tools", "import", stock);
  expect(changed.status).toBe(1);
  expect(changed.stdout).toMatch(
    /list_items +- +tool_\w+ has this name, with another definition: alias, description\n/,
  );
  expect(changed.stderr).toContain("Nothing was imported. To make these tools follow the document:\n  ");

  await world.sources("add", stock, "--kind", "openapi", "--name", "warehouse");
  expect(await differenceOf()).toMatchObject({
    ...{ source: "warehouse", tools: [{ isSame: false }] },
    commands: [
      /add .* --name warehouse$/,
      /adopt warehouse --toolkit/,
      /diff warehouse$/,
      /accept warehouse --all$/,
    ].map((pattern) => expect.stringMatching(pattern)),
  });
}, 60_000);
