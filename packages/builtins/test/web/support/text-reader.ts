import type { DocumentReader } from "../../../src/web/port.ts";

/** Takes every document for plain text: for tests of how pages come, not of how they are read. */
export const textReader: DocumentReader = {
  read: async ({ body }) => ({ format: "text", text: new TextDecoder().decode(body), links: [], warnings: [] }),
  close: async () => {},
};
