import { journal0001 } from "./0001-journal.ts";
import { workspaceSecrets0002 } from "./0002-workspace-secrets.ts";
import { endpointUse0003 } from "./0003-endpoint-use.ts";
import { lateAnswers0004 } from "./0004-late-answers.ts";
import { approvals0005 } from "./0005-approvals.ts";
import { sleepingExecutions0006 } from "./0006-sleeping-executions.ts";
import { recordLinks0007 } from "./0007-record-links.ts";
import { workspaceTools0008 } from "./0008-workspace-tools.ts";
import { integrations0009 } from "./0009-integrations.ts";
import { audit0010 } from "./0010-audit.ts";
import { secretHosts0011 } from "./0011-secret-hosts.ts";
import { apiKeyRotation0012 } from "./0012-api-key-rotation.ts";
import { executionTexts0013 } from "./0013-execution-texts.ts";
import { storedBytes0014 } from "./0014-stored-bytes.ts";
import { executionFilters0015 } from "./0015-execution-filters.ts";

/** Step n takes a store from schema n - 1 to schema n. Released steps never change. */
export const STEPS: readonly string[] = [
  journal0001,
  workspaceSecrets0002,
  endpointUse0003,
  lateAnswers0004,
  approvals0005,
  sleepingExecutions0006,
  recordLinks0007,
  workspaceTools0008,
  integrations0009,
  audit0010,
  secretHosts0011,
  apiKeyRotation0012,
  executionTexts0013,
  storedBytes0014,
  executionFilters0015,
];
