import { describeAdoption } from "./adoption-suite.ts";

describeAdoption("on SQLite", async () => ({}));
