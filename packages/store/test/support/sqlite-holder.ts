import { writeSync } from "node:fs";
import { openSqliteStore } from "../../src/sqlite.ts";

const say = (line: string) => writeSync(process.stdout.fd, `${line}\n`);
const [, , dataDir = ""] = process.argv;
try {
  await openSqliteStore({ dataDir });
  say("open");
  // Lives until it is killed.
  setInterval(() => undefined, 60_000);
} catch (error) {
  say(String(error));
}
