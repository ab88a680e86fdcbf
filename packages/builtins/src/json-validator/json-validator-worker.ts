import { serveJobs } from "@yagate/lib/workers/serve-jobs";
import { runJsonJob } from "./run-json-job.ts";

serveJobs(runJsonJob);
