import { serveJobs } from "../../../../isolation/serve-jobs.ts";
import type { ExtractiveRequest, ExtractiveSummary } from "./extractive-summary.ts";
import { summarizeText } from "./summarize-text.ts";

serveJobs<ExtractiveRequest, ExtractiveSummary>(summarizeText);
