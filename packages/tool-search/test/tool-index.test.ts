import { describe, expect, it } from "vitest";
import type { SearchableTool } from "../src/searchable-tool.ts";
import { createToolIndex } from "../src/tool-index.ts";

const tool = (name: string, description: string, rest: Partial<SearchableTool> = {}): SearchableTool => ({
  name,
  description,
  parameters: { type: "object", properties: {} },
  ...rest,
});

const TOOLS = [
  tool("orders.get_by_id", "Returns an order."),
  tool("orders.list", "Lists orders.", {
    parameters: {
      type: "object",
      properties: { status: { type: "string", enum: ["shipped", "refunded"], description: "Where the parcel is" } },
    },
  }),
  tool("orders.cancel", "Cancels an order before it is shipped."),
  tool("crm.getCustomer", "Reads a customer.", { usageNotes: "Use it for the postal address of a person." }),
  tool("crm.addNote", "Adds a note to a customer."),
  tool("weather", "Tells the weather of a city."),
];
const search = async (query: string, namespace?: string, limit = 5, tools = TOOLS) =>
  (await createToolIndex(tools)).search({ query, namespace, limit });

describe("ranking", () => {
  it.each([
    ["the words of a name, split", "get customer", "crm.getCustomer"],
    ["the description, in another form of the word", "cancelling", "orders.cancel"],
    ["the value of an enumeration", "refunded", "orders.list"],
    ["the description of a parameter", "where is my parcel", "orders.list"],
    ["the usage notes", "postal address", "crm.getCustomer"],
    ["the name of a parameter", "status", "orders.list"],
  ])("finds a tool by %s", async (_what, query, name) => {
    expect((await search(query))[0]).toBe(name);
  });

  it("finds nothing for words that no tool has, and for stop words alone", async () => {
    expect(await search("photosynthesis")).toEqual([]);
    expect(await search("what is the")).toEqual([]);
  });

  it("finds at most as many as the limit", async () => {
    expect(await search("order customer weather", undefined, 2)).toHaveLength(2);
  });

  it("gives word-stuffed descriptions no advantage", async () => {
    const stuffed = tool("spam", "refund order cancel customer note weather city list status shipped ".repeat(20));
    for (const query of ["cancel an order", "weather in a city", "add a note to a customer"]) {
      expect((await search(query, undefined, 5, [stuffed, ...TOOLS]))[0], query).not.toBe("spam");
    }
  });

  it("stems the words of a tool in its own language", async () => {
    const german = tool("bestellung_stornieren", "Storniert eine Bestellung des Kunden", { language: "de" });
    expect(await search("Bestellungen", undefined, 5, [...TOOLS, german])).toEqual(["bestellung_stornieren"]);
    expect(await search("orders", undefined, 1, [...TOOLS, german])).toEqual([expect.stringMatching(/^orders/)]);
  });
});

describe("exact names", () => {
  it("come first, all of them, in the order of the query", async () => {
    const names = ["weather", "crm.addNote", "orders.cancel", "orders.list"];
    expect(await search(`please load ${names.join(", ")}.`, undefined, 2)).toEqual(names);
  });

  it.each(["orders_get_by_id", "ordersGetById", "ORDERS.GET_BY_ID", "orders get by id", "`orders-get-by-id`?"])(
    "are found without punctuation: %s",
    async (query) => {
      expect((await search(query))[0]).toBe("orders.get_by_id");
    },
  );

  it("that become equal without punctuation are all found", async () => {
    const pair = [tool("get.user", "Reads."), tool("get_user", "Reads.")];
    expect(await search("get-user", undefined, 1, pair)).toEqual(["get.user", "get_user"]);
    expect(await search("get_user", undefined, 1, pair)).toEqual(["get_user"]);
  });
});

describe("namespaces", () => {
  it("filter", async () => {
    expect(await search("get", "crm")).toEqual(["crm.getCustomer"]);
    expect(await search("weather", "crm")).toEqual([]);
    expect(await search("orders.list", "crm")).toEqual([]);
  });

  it("never score: the name of a server does not crowd out the rest", async () => {
    const many = Array.from({ length: 20 }, (_, index) => tool(`github.action_${index}`, `Does thing ${index}.`));
    const tools = [...many, tool("files.read", "Reads a file of a github repository.")];
    expect(await search("github", undefined, 5, tools)).toEqual(["files.read"]);
  });

  it("keep the order of the matches", async () => {
    const all = await search("order", undefined, 10);
    expect(await search("order", "orders", 10)).toEqual(all.filter((name) => name.startsWith("orders.")));
  });
});

it("ends in time for hostile descriptions and queries", async () => {
  const hostile = tool("a".repeat(64), "ab ".repeat(1_300), {
    parameters: { type: "object", properties: { x: { description: "a-".repeat(30_000) } } },
  });
  const { user } = process.cpuUsage();
  await search("a_".repeat(500), undefined, 5, [hostile, ...TOOLS]);
  expect(process.cpuUsage().user - user).toBeLessThan(2_000_000);
});
