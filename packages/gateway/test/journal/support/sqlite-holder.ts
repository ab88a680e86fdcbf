import { writeSync } from "node:fs";
import { openSqliteStore } from "../../../src/journal/sqlite.ts";

const [, , dataDir = ""] = process.argv;
await openSqliteStore({ dataDir });
writeSync(process.stdout.fd, "open\n");
// Lives until it is killed.
setInterval(() => undefined, 60_000);
