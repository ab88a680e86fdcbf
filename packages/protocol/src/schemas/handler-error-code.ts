import * as z from "zod";

/** What a handler's own error code may look like; anything else is an `INVALID_RESPONSE`. */
export const handlerErrorCodeSchema = z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/);
