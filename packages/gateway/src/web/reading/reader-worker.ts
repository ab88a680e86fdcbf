import { serveJobs } from "../../isolation/serve-jobs.ts";
import { type ReadReport, type ReadRequest, readDocument } from "./read-document.ts";

serveJobs<ReadRequest, ReadReport>(readDocument);
