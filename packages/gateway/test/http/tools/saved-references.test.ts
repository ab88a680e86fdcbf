import { type StoredWorkspaceTool, toToolWarning } from "@yagate/protocol";
import { expect, it } from "vitest";
import { createSavedReferences } from "../../../src/workspace-tools/saved-references.ts";

const AT = "2026-11-21T06:00:00.000Z";

function toolOf(version: number, change: Partial<StoredWorkspaceTool> = {}): StoredWorkspaceTool {
  const definition = {
    name: "work",
    description: "Works.",
    parameters: { type: "object" },
    handler: "https://a.example/",
  };
  return {
    ...{ id: "tool_1", version, name: "work", kind: "handler", capabilityKey: null, definition, status: "created" },
    ...{ toolkitId: null, slots: 1, warnings: [], lastTest: null, createdAt: AT, updatedAt: AT },
    ...change,
  };
}

/** Versions 1 to 9 of one tool, and how often each was read. */
function openTools(change: Partial<StoredWorkspaceTool> = {}) {
  const reads: number[] = [];
  const tools = {
    async findVersion(_toolId: string, version: number) {
      reads.push(version);
      return version > 9 ? undefined : { workspaceId: "ws_a", tool: toolOf(version, change), archivedAt: null };
    },
  };
  return { tools, reads };
}

const of = (...versions: readonly number[]) => versions.map((version) => ({ tool: "tool_1", version }));

it("reads each version once for as long as it is kept", async () => {
  const { tools, reads } = openTools();
  const resolve = createSavedReferences({ tools, maxVersions: 2 });
  const [first] = await resolve([...of(1), { builtin: "calculator" }, ...of(1, 2)]);
  expect(first).toMatchObject({ name: "work", handler: "https://a.example/" });
  expect(await resolve(of(1))).toEqual([first]);
  expect(reads).toEqual([1, 2]);
  await resolve(of(3));
  await resolve(of(1, 2));
  expect(reads).toEqual([1, 2, 3, 2]);
});

it("keeps no more definitions than fit into its memory", async () => {
  const { tools, reads } = openTools();
  const size = JSON.stringify((await createSavedReferences({ tools })(of(1)))[0]).length;
  reads.length = 0;
  const resolve = createSavedReferences({ tools, maxCharacters: 2 * size });
  for (const version of [1, 2, 1, 3, 1, 2]) await resolve(of(version));
  expect(reads).toEqual([1, 2, 3, 2]);
});

it("appends warnings to the usage notes", async () => {
  const warnings = [
    toToolWarning({ level: "info", text: "Sandbox only." }),
    toToolWarning({ severity: "critical", message: "Deprecated." }),
  ];
  const { tools } = openTools({ warnings });
  const [tool] = await createSavedReferences({ tools })(of(1));
  expect(tool).toMatchObject({ usageNotes: "Note: Sandbox only.\nCritical: Deprecated." });
});

it("does not keep what could not be read", async () => {
  const { tools, reads } = openTools();
  const resolve = createSavedReferences({ tools });
  await expect(resolve(of(10))).rejects.toMatchObject({ code: "INTERNAL" });
  await expect(resolve(of(10))).rejects.toMatchObject({ code: "INTERNAL" });
  expect(reads).toEqual([10, 10]);
});
