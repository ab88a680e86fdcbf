/** The number of the advisory lock that tells whether gateways use the schema. */
const LOCK = "hashtextextended('yagate.gateway ' || current_schema(), 0)";

/** Each gateway holds this lock on the connection that listens, for as long as it is connected. */
export const SHARE_STORE = `SELECT pg_try_advisory_lock_shared(${LOCK}) AS is_locked`;

/** Succeeds only if no gateway holds {@link SHARE_STORE}, and keeps gateways from it until the connection ends. */
export const TAKE_STORE = `SELECT pg_try_advisory_lock(${LOCK}) AS is_locked`;
