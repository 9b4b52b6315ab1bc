/** A record as version 1 of pi's sessions has it. */
export function message(role: 'user' | 'assistant', text: string): string {
  const content = [{ type: 'text', text }];
  return `${JSON.stringify({ type: 'message', timestamp: new Date().toISOString(), message: { role, content } })}\n`;
}
