import type { StoredWorkspaceTool } from "@yagate/protocol";
import type { AuditSubject, ToolkitRow, ToolStep } from "@yagate/store/port";

/** The audit log entry for a tool. It omits test responses, which are data of the called service. */
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

/** The audit log entry for a change of status only. */
export const TOOL_STEP_SUBJECT: AuditSubject<ToolStep> = {
  type: "tool",
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  show: (step) => step,
};

/** The audit log entry for a toolkit. Its tools have their own entries. */
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
