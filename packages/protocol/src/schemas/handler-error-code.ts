import * as z from "zod";

/** The form of a handler's own error codes. Anything else is an `INVALID_RESPONSE`. */
export const handlerErrorCodeSchema = z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/);
