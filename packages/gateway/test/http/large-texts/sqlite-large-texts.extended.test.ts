import { describeLargeTexts } from "./describe-large-texts.ts";
import { sqlitePlace } from "./stored-bytes.ts";

describeLargeTexts("large texts on SQLite", async () => ({
  config: {},
  place: ({ dataDir }) => sqlitePlace(dataDir),
}));
