import type { StoredWorkspaceTool } from "@yagate/protocol";
import type { AuditSubject } from "@yagate/store/rows/audit-rows";
import type { ToolkitRow, ToolStep } from "@yagate/store/rows/tool-rows";

/** How tools stand in the audit log: a test without what came back, which is data of the service that was asked. */
export const TOOL_SUBJECT: AuditSubject<StoredWorkspaceTool> = {
  type: "tool",
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  show({ lastTest, ...tool }) {
    if (lastTest === null) return { ...tool, lastTest };
    const { preview: _preview, ...test } = lastTest;
    return { ...tool, lastTest: test };
  },
};

/** Changes of a tool's status alone. */
export const TOOL_STEP_SUBJECT: AuditSubject<ToolStep> = {
  type: "tool",
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  show: (step) => step,
};

/** How toolkits stand in the audit log: without their tools, which have entries of their own. */
export const TOOLKIT_SUBJECT: AuditSubject<ToolkitRow> = {
  type: "toolkit",
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  show: ({ id, name, provider, credential, createdAt, updatedAt }) => ({
    ...{ id, name, provider, credential },
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
  }),
};
