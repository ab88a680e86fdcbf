import { serveJobs } from "@yagate/lib/workers/serve-jobs";
import type { ExtractiveRequest, ExtractiveSummary } from "./extractive-summary.ts";
import { summarizeText } from "./summarize-text.ts";

serveJobs<ExtractiveRequest, ExtractiveSummary>(summarizeText);
