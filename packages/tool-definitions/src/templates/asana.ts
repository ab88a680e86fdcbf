import { type ApiTemplate, inBody, inPath, inQuery } from "./api-template.ts";

const fields = inQuery("opt_fields", "array", "Names of the fields to return.", {
  arrayFormat: "comma",
  schema: { items: { type: "string" } },
});

export const asana: ApiTemplate = {
  id: "asana",
  service: "Asana",
  title: "Tasks in projects",
  source: "https://developers.asana.com/reference/tasks",
  credential: {
    auth: { type: "bearer" },
    hosts: ["app.asana.com"],
    setup: "A personal access token or the token of a service account.",
  },
  settings: [],
  tools: [
    {
      name: "asana.list_tasks",
      description: "Lists the tasks in a project.",
      method: "GET",
      url: "https://app.asana.com/api/1.0/projects/{project_gid}/tasks",
      parameters: [
        inPath("project_gid", "Id of the project."),
        fields,
        inQuery("limit", "integer", "Tasks per page.", { schema: { minimum: 1, maximum: 100 } }),
        inQuery("offset", "string", "next_page.offset from the previous page."),
      ],
    },
    {
      name: "asana.get_task",
      description: "Reads one task.",
      method: "GET",
      url: "https://app.asana.com/api/1.0/tasks/{task_gid}",
      parameters: [inPath("task_gid", "Id of the task."), fields],
    },
    {
      name: "asana.create_task",
      description: "Creates a task.",
      method: "POST",
      url: "https://app.asana.com/api/1.0/tasks",
      sideEffect: "non_idempotent_write",
      parameters: [
        inBody("data", "object", "The task; it needs a project, a parent or a workspace.", {
          required: true,
          schema: {
            properties: {
              name: { type: "string" },
              notes: { type: "string" },
              assignee: { type: "string" },
              due_on: { type: "string", format: "date" },
              projects: { type: "array", items: { type: "string" } },
              workspace: { type: "string" },
            },
            required: ["name"],
          },
        }),
      ],
    },
  ],
};
