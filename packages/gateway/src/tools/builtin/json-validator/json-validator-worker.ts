import { serveJobs } from "../../../isolation/serve-jobs.ts";
import { runJsonJob } from "./run-json-job.ts";

serveJobs(runJsonJob);
