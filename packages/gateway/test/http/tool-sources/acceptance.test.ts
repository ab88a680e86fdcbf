import { describeAcceptance } from "./acceptance-suite.ts";

describeAcceptance("on SQLite", async () => ({}));
