import { openSqliteStore } from "../../src/sqlite.ts";
import { appendForever } from "./append-forever.ts";

const [, , dataDir = ""] = process.argv;
await appendForever(await openSqliteStore({ dataDir }));
