import { describeSync } from "./sync-suite.ts";

describeSync("on SQLite", async () => ({}));
