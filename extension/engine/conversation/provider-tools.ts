/** The text in a reply for a tool that the provider ran itself. No model and no person wrote it. */
export function providerTool(name: 'Web search' | 'Picture made', what: string): string {
  return `[${name}: ${what}]`;
}

const form = /^\[(?:Web search|Picture made): .*\]$/s;

/** Whether a text only shows such a tool. */
export function isProviderTool(text: string): boolean {
  return form.test(text.trim());
}
