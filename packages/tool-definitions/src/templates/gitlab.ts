import { type ApiTemplate, inBody, inPath, inQuery } from "./api-template.ts";

const project = inPath("project", "Id or path of the project, such as group/name.");
const issue = { ...inPath("issue_iid", "Number of the issue within its project."), type: "integer" } as const;
const URL_OF_ISSUES = "https://gitlab.com/api/v4/projects/{project}/issues";

export const gitlab: ApiTemplate = {
  id: "gitlab",
  service: "GitLab.com",
  title: "Issues in projects",
  source: "https://docs.gitlab.com/api/issues/",
  credential: {
    auth: { type: "header", name: "PRIVATE-TOKEN" },
    hosts: ["gitlab.com"],
    setup: "A personal, group or project access token with the scope api, or read_api to read only.",
  },
  settings: [{ parameter: "project", description: "Id or path of a project, to restrict the tools to this project." }],
  tools: [
    {
      name: "gitlab.list_issues",
      description: "Lists issues in a project.",
      method: "GET",
      url: URL_OF_ISSUES,
      parameters: [
        project,
        inQuery("state", "string", "Returns only issues in this state.", {
          schema: { enum: ["opened", "closed", "all"] },
        }),
        inQuery("labels", "array", "Returns only issues with all of these labels.", {
          arrayFormat: "comma",
          schema: { items: { type: "string" } },
        }),
        inQuery("search", "string", "Words in the title or description."),
        inQuery("per_page", "integer", "Issues per page.", { schema: { minimum: 1, maximum: 100 } }),
        inQuery("page", "integer", "Page number, starting at 1.", { schema: { minimum: 1 } }),
      ],
    },
    {
      name: "gitlab.get_issue",
      description: "Reads one issue.",
      method: "GET",
      url: `${URL_OF_ISSUES}/{issue_iid}`,
      parameters: [project, issue],
    },
    {
      name: "gitlab.create_issue",
      description: "Opens an issue.",
      method: "POST",
      url: URL_OF_ISSUES,
      sideEffect: "non_idempotent_write",
      parameters: [
        project,
        inBody("title", "string", "Title of the issue.", { required: true }),
        inBody("description", "string", "Text of the issue, in Markdown."),
        inBody("labels", "string", "Labels, separated by commas."),
      ],
    },
    {
      name: "gitlab.comment_on_issue",
      description: "Adds a comment to an issue.",
      method: "POST",
      url: `${URL_OF_ISSUES}/{issue_iid}/notes`,
      sideEffect: "non_idempotent_write",
      parameters: [project, issue, inBody("body", "string", "The comment, in Markdown.", { required: true })],
    },
  ],
};
