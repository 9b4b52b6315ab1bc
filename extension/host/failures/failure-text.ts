/** Message for a person. */
export function failureText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Details for the log. */
export function failureDetail(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
