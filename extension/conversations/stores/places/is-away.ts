/** Codes of connections that were not made or broke, and of a Postgres that starts, ends or is full. */
const ofConnections =
  /^(?:ECONN(?:REFUSED|RESET|ABORTED)|ETIMEDOUT|E(?:HOST|NET)(?:UNREACH|DOWN)|EPIPE|EAI_AGAIN|08\w{3}|57P0\d|53\w{3})$/;

/** What `pg` and `redis` say without a code: of a connection, of a command without one, of a server that still loads its data. */
const ofClients =
  /timeout|timed out|Connection terminated|closed unexpectedly|client is (?:offline|closed)|^(?:LOADING|MASTERDOWN)|no answer within/i;

/** Whether the server cannot be reached for now: one that refuses the user or knows no such database answers. */
export function isAway(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isAway);
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return ofConnections.test(code) || ofClients.test(error.message) || isAway(error.cause);
}
