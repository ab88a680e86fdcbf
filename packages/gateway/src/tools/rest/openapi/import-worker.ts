import { serveJobs } from "../../../isolation/serve-jobs.ts";
import { convertDocument } from "./convert-document.ts";
import type { ImportRequest } from "./import-openapi.ts";
import type { OpenApiImport } from "./openapi-import.ts";

serveJobs<ImportRequest, OpenApiImport>(({ text, options }) => convertDocument(text, options));
