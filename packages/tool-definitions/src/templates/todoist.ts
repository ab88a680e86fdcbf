import { type ApiTemplate, inBody, inPath, inQuery } from "./api-template.ts";

const paging = [
  inQuery("limit", "integer", "Tasks a page.", { schema: { minimum: 1, maximum: 200 } }),
  inQuery("cursor", "string", "next_cursor of the page before."),
];

export const todoist: ApiTemplate = {
  id: "todoist",
  service: "Todoist",
  title: "Tasks",
  source: "https://developer.todoist.com/api/v1/",
  credential: {
    auth: { type: "bearer" },
    hosts: ["api.todoist.com"],
    setup: "The API token from the account's settings, under Integrations.",
  },
  settings: [],
  tools: [
    {
      name: "todoist.list_tasks",
      description: "Lists open tasks.",
      method: "GET",
      url: "https://api.todoist.com/api/v1/tasks",
      parameters: [inQuery("project_id", "string", "Only tasks of this project."), ...paging],
    },
    {
      name: "todoist.filter_tasks",
      description: "Lists open tasks that fit a filter of Todoist's own language.",
      method: "GET",
      url: "https://api.todoist.com/api/v1/tasks/filter",
      parameters: [inQuery("query", "string", "The filter, such as today | overdue.", { required: true }), ...paging],
    },
    {
      name: "todoist.create_task",
      description: "Creates a task.",
      method: "POST",
      url: "https://api.todoist.com/api/v1/tasks",
      sideEffect: "non_idempotent_write",
      parameters: [
        inBody("content", "string", "What is to be done.", { required: true }),
        inBody("description", "string", "More about it."),
        inBody("project_id", "string", "Project; the inbox by default."),
        inBody("due_string", "string", "When, in words, such as tomorrow at 12."),
        inBody("priority", "integer", "From 1 (normal) to 4 (urgent).", { schema: { minimum: 1, maximum: 4 } }),
      ],
    },
    {
      name: "todoist.complete_task",
      description: "Marks a task as done.",
      method: "POST",
      url: "https://api.todoist.com/api/v1/tasks/{task_id}/close",
      sideEffect: "idempotent_write",
      parameters: [inPath("task_id", "Id of the task.")],
    },
  ],
};
