import { describeTwoServers } from "./support/describe-two-servers.ts";
import { createSqliteEntries } from "./support/sqlite-entries.ts";

describeTwoServers("two servers with one SQLite file", createSqliteEntries);
