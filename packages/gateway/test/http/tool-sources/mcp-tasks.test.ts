import { describeMcpTasks } from "./mcp-tasks-suite.ts";

describeMcpTasks("on SQLite", async () => ({}));
