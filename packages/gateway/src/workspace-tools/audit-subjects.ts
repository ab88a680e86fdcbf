import type { StoredWorkspaceTool } from "@yagate/protocol";
import type { AuditSubject, ToolkitRow, ToolStep } from "@yagate/store/port";

/**
 * How a tool appears in the audit log: without the response of its latest test, which is data of the called service.
 */
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

/** How a change of only a tool's status appears in the audit log. */
export const TOOL_STEP_SUBJECT: AuditSubject<ToolStep> = {
  type: "tool",
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  show: (step) => step,
};

/** How a toolkit appears in the audit log. Its tools have separate entries. */
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
