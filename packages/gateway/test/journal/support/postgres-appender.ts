import { openPostgresStore } from "../../../src/journal/postgres.ts";
import { appendForever } from "./append-forever.ts";

const [, , databaseUrl = ""] = process.argv;
await appendForever(await openPostgresStore({ databaseUrl }));
