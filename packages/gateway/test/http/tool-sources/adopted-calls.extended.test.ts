import { describeAdoptedCalls } from "./adopted-calls-suite.ts";

describeAdoptedCalls("on SQLite", async () => ({}));
