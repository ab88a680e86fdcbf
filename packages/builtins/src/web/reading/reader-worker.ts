import { serveJobs } from "@yagate/lib/workers/serve-jobs";
import { type ReadReport, type ReadRequest, readDocument } from "./read-document.ts";

serveJobs<ReadRequest, ReadReport>(readDocument);
