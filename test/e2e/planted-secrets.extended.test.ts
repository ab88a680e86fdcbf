import { randomBytes } from "node:crypto";
import { afterAll, describe, expect, it } from "vitest";
import { hasPostgres, type PostgresServer, startPostgres } from "../services/postgres.ts";
import { sightings } from "./support/planted/planted-values.ts";
import { openPlantedWorld, type PlantedWorld } from "./support/planted/planted-world.ts";
import { filesIn, rowsIn } from "./support/planted/stores.ts";
import { modelTurns, STORIES, signedTools } from "./support/planted/stories.ts";

let server: PostgresServer | undefined;
afterAll(() => server?.stop());

const STORES = [
  { store: "SQLite", isHere: true, open: async () => ({}) },
  {
    store: "PostgreSQL",
    isHere: hasPostgres(),
    async open() {
      server = await startPostgres();
      return { DATABASE_URL: await server.createDatabase() };
    },
  },
] as const;

/** Everything that the gateway has written so far, in whatever place. */
async function allWritten(world: PlantedWorld, databaseUrl: string | undefined): Promise<Map<string, Buffer>> {
  const rows = databaseUrl === undefined ? [] : await rowsIn(databaseUrl);
  return new Map([...world.written(), ...(await filesIn(world.dataDir)), ...rows]);
}

describe.each(STORES.filter(({ isHere }) => isHere))(
  "a gateway on $store that lives through everything",
  ({ open }) => {
    it("leaves no secret anywhere, in no form", async () => {
      const env: { readonly DATABASE_URL?: string } = await open();
      const world = await openPlantedWorld(modelTurns, env);
      for (const story of STORIES) await story(world);
      const whileRunning = await allWritten(world, env.DATABASE_URL);

      // A second master key comes, and seals anew what the first one has sealed; then that one goes.
      const first = world.values.get("the master key");
      const second = randomBytes(32).toString("base64");
      world.values.set("the second master key", second);
      await world.restart({ YAGATE_MASTER_KEYS: `k2:${second},k1:${first}` });
      await world.untilLogged(/no stored value is encrypted with these older master keys: they can be removed/);
      await world.restart({ YAGATE_MASTER_KEYS: `k2:${second}` });
      await signedTools(world);
      await world.stop();
      const afterwards = await allWritten(world, env.DATABASE_URL);

      expect(world.values.size).toBeGreaterThan(20);
      expect([...sightings(whileRunning, world.values), ...sightings(afterwards, world.values)]).toEqual([]);
      // What may be read there shows that the search looks at the right bytes.
      const stored = Buffer.concat(
        [...afterwards].filter(([place]) => /^(?:file|table)/.test(place)).map(([, bytes]) => bytes),
      );
      for (const known of world.known)
        expect({ known, isThere: stored.includes(known) }).toEqual({ known, isThere: true });
      for (const [place, bytes] of world.written())
        expect({ place, isEmpty: bytes.length < 500 }).toEqual({ place, isEmpty: false });
    }, 120_000);
  },
);

it("the search finds what it looks for, in each form", () => {
  const value = `sk-${randomBytes(16).toString("hex")}`;
  const written = new Map([
    ["a log", Buffer.from(`key ${value}`)],
    ["a file", Buffer.from(`Basic ${Buffer.from(`u:${value}`).toString("base64")}`)],
    ["a table", Buffer.from(Buffer.from(value).toString("hex"))],
    ["a page", Buffer.from("nothing")],
  ]);
  const places = new Set(sightings(written, new Map([["it", value]])).map(({ place }) => place));
  expect([...places].sort()).toEqual(["a file", "a log", "a table"]);
});
