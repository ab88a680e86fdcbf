import { openSqliteStore } from "../../../src/journal/sqlite.ts";
import { appendForever } from "./append-forever.ts";

const [, , dataDir = ""] = process.argv;
await appendForever(await openSqliteStore({ dataDir }));
