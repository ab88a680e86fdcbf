import { describeFaults } from "./fault-suite.ts";

describeFaults({ store: "SQLite", createDatabase: async () => undefined, afterDeath: async () => undefined });
