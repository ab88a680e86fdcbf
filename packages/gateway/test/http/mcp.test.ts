import { describeMcpServer } from "./mcp-suite.ts";

describeMcpServer("on SQLite", async () => ({}));
