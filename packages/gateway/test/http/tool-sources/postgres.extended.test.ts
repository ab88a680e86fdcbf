import { describe } from "vitest";
import { createMigratedDatabase } from "../../../../../test/services/migrated-stores.ts";
import { hasPostgres } from "../../../../../test/services/postgres.ts";
import { describeAcceptance } from "./acceptance-suite.ts";
import { describeAdoptedCalls } from "./adopted-calls-suite.ts";
import { describeAdoption } from "./adoption-suite.ts";
import { describeAgents } from "./agents-suite.ts";
import { describeSync } from "./sync-suite.ts";
import { describeToolSearch } from "./tool-search-suite.ts";

describe.skipIf(!hasPostgres())("with a server", () => {
  const configure = async () => ({ databaseUrl: await createMigratedDatabase() });
  describeSync("on PostgreSQL", configure);
  describeAcceptance("on PostgreSQL", configure);
  describeAgents("on PostgreSQL", configure);
  describeAdoption("on PostgreSQL", configure);
  describeAdoptedCalls("on PostgreSQL", configure);
  describeToolSearch("on PostgreSQL", configure);
});
