import { type ApiTemplate, inBody, inPath, inQuery } from "./api-template.ts";

const site = inPath("cloud_id", "Id of the site.");
const issue = inPath("issue", "Key or id of the issue, such as OPS-12.");
const BASE = "https://api.atlassian.com/ex/jira/{cloud_id}/rest/api/3";
const fields = inQuery("fields", "array", "Names of the fields to return.", {
  arrayFormat: "comma",
  schema: { items: { type: "string" } },
});

export const jira: ApiTemplate = {
  id: "jira",
  service: "Jira Cloud",
  title: "Issues on a site",
  source: "https://developer.atlassian.com/cloud/jira/platform/rest/v3/",
  credential: {
    auth: { type: "basic" },
    hosts: ["api.atlassian.com"],
    setup: "The e-mail address as user name, and an API token with scopes as password.",
  },
  settings: [{ parameter: "cloud_id", description: "Id of the site, from its address with /_edge/tenant_info." }],
  tools: [
    {
      name: "jira.search_issues",
      description: "Finds issues with JQL.",
      method: "GET",
      url: `${BASE}/search/jql`,
      usageNotes: "Only ids are returned unless fields are listed.",
      parameters: [
        site,
        inQuery("jql", "string", "The query, such as project = OPS AND status = Open; it must restrict the search.", {
          required: true,
        }),
        fields,
        inQuery("max_results", "integer", "Issues per page.", {
          wireName: "maxResults",
          schema: { minimum: 1, maximum: 5_000 },
        }),
        inQuery("next_page_token", "string", "nextPageToken from the previous page.", { wireName: "nextPageToken" }),
      ],
    },
    {
      name: "jira.get_issue",
      description: "Reads one issue.",
      method: "GET",
      url: `${BASE}/issue/{issue}`,
      parameters: [site, issue, fields],
    },
    {
      name: "jira.create_issue",
      description: "Creates an issue.",
      method: "POST",
      url: `${BASE}/issue`,
      sideEffect: "non_idempotent_write",
      warnings: [
        {
          severity: "warning",
          message: "Pass long text fields, such as description, as Atlassian documents (ADF), not as plain text.",
        },
      ],
      parameters: [
        site,
        inBody("fields", "object", "Values by field: project, issuetype, summary and others.", {
          required: true,
          schema: {
            properties: { summary: { type: "string" }, project: { type: "object" }, issuetype: { type: "object" } },
            required: ["summary", "project", "issuetype"],
          },
        }),
      ],
    },
    {
      name: "jira.comment_on_issue",
      description: "Adds a comment to an issue.",
      method: "POST",
      url: `${BASE}/issue/{issue}/comment`,
      sideEffect: "non_idempotent_write",
      parameters: [
        site,
        issue,
        inBody("body", "object", "The comment, as an Atlassian document (ADF).", { required: true }),
      ],
    },
  ],
};
