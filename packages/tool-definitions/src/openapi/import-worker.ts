import { serveJobs } from "@yagate/lib/workers/serve-jobs";
import { convertDocument, listDocument } from "./convert-document.ts";
import type { ImportRequest, ImportResult } from "./import-openapi.ts";

serveJobs<ImportRequest, ImportResult>(async ({ text, options, isListing }) =>
  isListing ? { listing: listDocument(text, options) } : { imported: await convertDocument(text, options) },
);
