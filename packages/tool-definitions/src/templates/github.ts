import { type ApiTemplate, fixedHeader, inBody, inPath, inQuery } from "./api-template.ts";

const repository = [inPath("owner", "Account that owns the repository."), inPath("repo", "Repository, without .git.")];
/** GitHub rejects requests without a user agent. */
const headers = [
  fixedHeader("Accept", "application/vnd.github+json"),
  fixedHeader("X-GitHub-Api-Version", "2022-11-28"),
  fixedHeader("User-Agent", "yagate"),
];
const issueNumber = { ...inPath("issue_number", "Number of the issue or pull request."), type: "integer" } as const;

export const github: ApiTemplate = {
  id: "github",
  service: "GitHub",
  title: "Issues in repositories",
  source: "https://docs.github.com/en/rest/issues/issues",
  credential: {
    auth: { type: "bearer" },
    hosts: ["api.github.com"],
    setup: "A personal access token that may read and write issues of the repositories.",
  },
  settings: [
    { parameter: "owner", description: "Account that owns the repository." },
    { parameter: "repo", description: "Repository, to restrict the tools to this repository." },
  ],
  tools: [
    {
      name: "github.search_issues",
      description: "Searches issues and pull requests across GitHub.",
      method: "GET",
      url: "https://api.github.com/search/issues",
      usageNotes: "Narrow the search with qualifiers such as repo:owner/name, is:issue, is:open or label:bug.",
      parameters: [
        inQuery("q", "string", "Search terms and qualifiers.", { required: true }),
        inQuery("sort", "string", "Order of the results.", { schema: { enum: ["comments", "created", "updated"] } }),
        inQuery("per_page", "integer", "Results per page.", { schema: { minimum: 1, maximum: 100 } }),
        inQuery("page", "integer", "Page number, starting at 1.", { schema: { minimum: 1 } }),
        ...headers,
      ],
    },
    {
      name: "github.get_issue",
      description: "Reads one issue or pull request of a repository.",
      method: "GET",
      url: "https://api.github.com/repos/{owner}/{repo}/issues/{issue_number}",
      parameters: [...repository, issueNumber, ...headers],
    },
    {
      name: "github.create_issue",
      description: "Opens an issue in a repository.",
      method: "POST",
      url: "https://api.github.com/repos/{owner}/{repo}/issues",
      sideEffect: "non_idempotent_write",
      parameters: [
        ...repository,
        inBody("title", "string", "Title of the issue.", { required: true }),
        inBody("body", "string", "Text of the issue, in Markdown."),
        inBody("labels", "array", "Names of labels.", { schema: { items: { type: "string" } } }),
        inBody("assignees", "array", "Account names.", { schema: { items: { type: "string" } } }),
        ...headers,
      ],
    },
    {
      name: "github.comment_on_issue",
      description: "Adds a comment to an issue or pull request.",
      method: "POST",
      url: "https://api.github.com/repos/{owner}/{repo}/issues/{issue_number}/comments",
      sideEffect: "non_idempotent_write",
      parameters: [
        ...repository,
        issueNumber,
        inBody("body", "string", "The comment, in Markdown.", { required: true }),
        ...headers,
      ],
    },
  ],
};
