import { isJsonObject, type JsonObject } from "@yagate/lib/json/json-object";
import { useId } from "react";
import { Button } from "../../parts/button.tsx";
import controls from "../../parts/controls.module.css";
import { Line, Lines, Quiet } from "../../parts/section.tsx";
import { Tag } from "../../parts/status.tsx";
import { ChoiceField, TextArea, TextField } from "../../parts/text-field.tsx";
import { toLine } from "../../parts/visible-text.tsx";
import css from "./agents.module.css";
import { type Definition, toolTitle } from "./definition.ts";
import { ToolPicker } from "./tool-picker.tsx";

const APPROVALS = [
  ["never", "Never"],
  ["destructive", "Destructive calls"],
  ["writes", "All writes"],
  ["always", "Every call"],
] as const;

const LIMITS = [
  ["maxToolIterations", "Model turns with tools"],
  ["maxWallTimeMs", "Running time in ms"],
  ["maxToolResultTokens", "Tokens of tool results"],
  ["maxCostUsd", "Cost in USD"],
] as const;

interface AgentFormProps {
  readonly definition: Definition;
  onChange(definition: Definition): void;
}

const textOf = (value: unknown) => (typeof value === "string" ? value : typeof value === "number" ? String(value) : "");
const recordOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

/** The fields that most agents need. What has no field here stays as it is, and can be changed as JSON. */
export function AgentForm({ definition, onChange }: AgentFormProps) {
  const networkId = useId();
  const set = (name: string) => (value: unknown) => onChange({ ...definition, [name]: value });
  const tools = Array.isArray(definition["tools"]) ? definition["tools"] : [];
  const limits = recordOf(definition["limits"]);
  const policy = recordOf(definition["policy"]);
  const setLimit = (name: string) => (value: string) =>
    set("limits")({ ...limits, [name]: value === "" ? null : Number(value) });
  const approval = textOf(policy["approval"]) || "destructive";
  return (
    <>
      <div className={css["fields"]}>
        <TextField label="Name" value={textOf(definition["name"])} onChange={set("name")} />
        <TextField
          label="Model"
          hint="Such as openai/gpt-5 or scripted/keyword"
          isCode
          value={textOf(definition["model"])}
          onChange={set("model")}
        />
      </div>
      <TextField
        label="Description"
        hint="For people, and for the models of MCP hosts"
        value={textOf(definition["description"])}
        onChange={set("description")}
      />
      <TextArea
        label="System prompt"
        rows={8}
        value={textOf(definition["systemPrompt"])}
        onChange={set("systemPrompt")}
      />
      <fieldset className={css["group"]}>
        <legend>Tools</legend>
        {tools.length === 0 ? (
          <Quiet>The agent has no tools.</Quiet>
        ) : (
          <Lines>
            {tools.map((tool: unknown, index) => {
              const { kind, name } = toolTitle(tool);
              const title = toLine(name, 80);
              return (
                <Line
                  key={index}
                  end={
                    <Button
                      isSmall
                      aria-label={`Remove ${title}`}
                      onClick={() => set("tools")(tools.filter((_, at) => at !== index))}
                    >
                      Remove
                    </Button>
                  }
                >
                  <code>{title}</code>
                  <Tag>{kind}</Tag>
                </Line>
              );
            })}
          </Lines>
        )}
        <ToolPicker onPick={(tool) => set("tools")([...tools, tool])} />
      </fieldset>
      <fieldset className={css["group"]}>
        <legend>Policy</legend>
        <div className={css["fields"]}>
          <ChoiceField
            label="A person approves"
            value={approval}
            options={APPROVALS.some(([name]) => name === approval) ? APPROVALS : [...APPROVALS, [approval, approval]]}
            onChange={(value) => set("policy")({ ...policy, approval: value })}
          />
          <label className={controls["check"]} htmlFor={networkId}>
            <input
              id={networkId}
              type="checkbox"
              checked={policy["network"] === true}
              onChange={({ target }) => set("policy")({ ...policy, network: target.checked })}
            />
            Network tools may run
          </label>
        </div>
      </fieldset>
      <fieldset className={css["group"]}>
        <legend>Limits of an execution</legend>
        <div className={css["fields"]}>
          {LIMITS.map(([name, label]) => (
            <TextField
              key={name}
              label={label}
              inputMode="decimal"
              placeholder="the gateway's default, or none"
              value={textOf(limits[name])}
              onChange={setLimit(name)}
            />
          ))}
        </div>
      </fieldset>
    </>
  );
}
