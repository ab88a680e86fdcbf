import { describeAgents } from "./agents-suite.ts";

describeAgents("on SQLite", async () => ({}));
