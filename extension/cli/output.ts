export function warn(message: string): void {
  process.stderr.write(`strata: ${withoutControls(message)}\n`);
}

/** Leaves out control characters except line breaks and tabs, so that a session's text cannot control the terminal. */
export function print(text: string): void {
  process.stdout.write(`${withoutControls(text)}\n`);
}

export function withoutControls(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is left out, and \p{Cc} takes three times as long
  return text.replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, '');
}

export function printJson(value: unknown): void {
  process.stdout.write(`${inert(JSON.stringify(value, null, 2))}\n`);
}

/** JSON escapes only the control characters of ASCII; a terminal also obeys those of Latin-1. */
export function inert(json: string): string {
  return json.replace(/[\u007f-\u009f]/g, (control) => `\\u00${control.charCodeAt(0).toString(16)}`);
}
