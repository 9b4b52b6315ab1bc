/** A record in the format of pi's sessions, version 1. */
export function message(role: 'user' | 'assistant', text: string): string {
  const content = [{ type: 'text', text }];
  return `${JSON.stringify({ type: 'message', timestamp: new Date().toISOString(), message: { role, content } })}\n`;
}
