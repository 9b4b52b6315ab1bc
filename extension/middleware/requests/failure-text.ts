/** For a person. */
export function failureText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
