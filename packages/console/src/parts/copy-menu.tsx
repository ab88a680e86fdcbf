import type { ReactNode } from "react";
import { toUrl } from "../api/request.ts";
import { CopyButton } from "./copy-button.tsx";
import { MoreMenu } from "./more-menu.tsx";

interface CopyMenuProps {
  readonly id: string;
  /** The object as the API returned it. */
  readonly value: unknown;
  /** The command that shows the object. */
  readonly command: string;
  /** The path of the object in the API, such as `v1/agents/agt_…`. */
  readonly path: string;
  /** Further actions, before those that copy. */
  readonly children?: ReactNode;
}

/** The menu of an object: its id, its JSON, and the commands that read it again. */
export function CopyMenu({ id, value, command, path, children }: CopyMenuProps) {
  return (
    <MoreMenu>
      {children}
      <CopyButton text={id} label="Copy id" />
      <CopyButton text={() => JSON.stringify(value, null, 2)} label="Copy JSON" />
      <CopyButton text={command} label="Copy as CLI" />
      <CopyButton
        text={`curl -s ${toUrl(path).href} -H "Authorization: Bearer $YAGATE_API_KEY"`}
        label="Copy as curl"
      />
    </MoreMenu>
  );
}
