import { describeToolSearch } from "./tool-search-suite.ts";

describeToolSearch("on SQLite", async () => ({}));
