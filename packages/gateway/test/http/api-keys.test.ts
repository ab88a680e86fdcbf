import { describeKeys } from "./support/describe-api-keys.ts";

describeKeys("on SQLite", 1, async () => ({}));
