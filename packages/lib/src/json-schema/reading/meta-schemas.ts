import draft2019Applicator from "ajv/dist/refs/json-schema-2019-09/meta/applicator.json" with { type: "json" };
import draft2019Content from "ajv/dist/refs/json-schema-2019-09/meta/content.json" with { type: "json" };
import draft2019Core from "ajv/dist/refs/json-schema-2019-09/meta/core.json" with { type: "json" };
import draft2019Format from "ajv/dist/refs/json-schema-2019-09/meta/format.json" with { type: "json" };
import draft2019MetaData from "ajv/dist/refs/json-schema-2019-09/meta/meta-data.json" with { type: "json" };
import draft2019Validation from "ajv/dist/refs/json-schema-2019-09/meta/validation.json" with { type: "json" };
import draft2019 from "ajv/dist/refs/json-schema-2019-09/schema.json" with { type: "json" };
import draft2020Applicator from "ajv/dist/refs/json-schema-2020-12/meta/applicator.json" with { type: "json" };
import draft2020Content from "ajv/dist/refs/json-schema-2020-12/meta/content.json" with { type: "json" };
import draft2020Core from "ajv/dist/refs/json-schema-2020-12/meta/core.json" with { type: "json" };
import draft2020Format from "ajv/dist/refs/json-schema-2020-12/meta/format-annotation.json" with { type: "json" };
import draft2020MetaData from "ajv/dist/refs/json-schema-2020-12/meta/meta-data.json" with { type: "json" };
import draft2020Unevaluated from "ajv/dist/refs/json-schema-2020-12/meta/unevaluated.json" with { type: "json" };
import draft2020Validation from "ajv/dist/refs/json-schema-2020-12/meta/validation.json" with { type: "json" };
import draft2020 from "ajv/dist/refs/json-schema-2020-12/schema.json" with { type: "json" };
import draft06 from "ajv/dist/refs/json-schema-draft-06.json" with { type: "json" };
import draft07 from "ajv/dist/refs/json-schema-draft-07.json" with { type: "json" };
import draft04 from "ajv-draft-04/dist/refs/json-schema-draft-04.json" with { type: "json" };
import type { JsonObject } from "../../json/json-object.ts";
import { DRAFT_URIS } from "./drafts.ts";

/**
 * The published meta-schemas by URI, without fragments. References to these documents work even if they are not passed.
 */
export const META_SCHEMAS: ReadonlyMap<string, JsonObject> = new Map<string, JsonObject>([
  [DRAFT_URIS["04"], draft04],
  [DRAFT_URIS["06"], draft06],
  [DRAFT_URIS["07"], draft07],
  ...[
    draft2019,
    draft2019Core,
    draft2019Applicator,
    draft2019Validation,
    draft2019MetaData,
    draft2019Format,
    draft2019Content,
    draft2020,
    draft2020Core,
    draft2020Applicator,
    draft2020Unevaluated,
    draft2020Validation,
    draft2020MetaData,
    draft2020Format,
    draft2020Content,
  ].map((metaSchema): [string, JsonObject] => [metaSchema.$id, metaSchema]),
]);
