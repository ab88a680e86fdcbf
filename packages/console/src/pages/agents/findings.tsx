import { ApiError } from "../../api/api-error.ts";
import { Icon } from "../../parts/icon.tsx";
import { Line, Lines, Section } from "../../parts/section.tsx";
import { Tag } from "../../parts/status.tsx";
import { VisibleText } from "../../parts/visible-text.tsx";

interface Finding {
  readonly severity: string;
  readonly path: string;
  readonly message: string;
}

interface FindingsProps {
  readonly warnings?: readonly Finding[];
  readonly error?: unknown;
}

/** What the gateway found in a definition: fields that it refuses, or settings that are probably not intended. */
export function Findings({ warnings = [], error }: FindingsProps) {
  const fields = error instanceof ApiError ? error.fieldErrors : [];
  const rows = [
    ...fields.map(({ path, message }) => ({ severity: "error", path, message })),
    ...warnings.map(({ severity, path, message }) => ({ severity, path, message })),
  ];
  if (rows.length === 0) return null;
  return (
    <Section title="Findings">
      <Lines>
        {rows.map(({ severity, path, message }, index) => (
          <Line key={`${path} ${index}`} icon={<Icon name={severity === "error" ? "failed" : "warning"} />}>
            <code>{path}</code>
            <VisibleText text={message} />
            <Tag>{severity}</Tag>
          </Line>
        ))}
      </Lines>
    </Section>
  );
}
