import { openPostgresStore } from "../../src/postgres.ts";
import { appendForever } from "./append-forever.ts";

const [, , databaseUrl = ""] = process.argv;
await appendForever(await openPostgresStore({ databaseUrl }));
